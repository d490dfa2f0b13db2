"""Tables, figures and pages, made from the files of runs; maps of what a bonus has seen."""

from phieb.reports.novelty_map import Grid, NoveltyMap, grid_over, novelty_map

__all__ = ["Grid", "NoveltyMap", "grid_over", "novelty_map"]
