"""Games by their names."""

import numpy as np
import pytest
from ale_py import roms

from phieb.features import BlobProst
from phieb.palette import ntsc
from phieb.worlds import Atari
from phieb.worlds.games import PAL, find_game
from tests.worlds.support import play, started


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("venture", "venture"),
        ("Venture", "venture"),
        ("ALE/Venture-v5", "venture"),
        ("VentureNoFrameskip-v4", "venture"),
        ("montezuma_revenge", "montezuma_revenge"),
        ("MontezumaRevenge", "montezuma_revenge"),
        ("Montezuma Revenge", "montezuma_revenge"),
        ("Montezuma's Revenge", "montezuma_revenge"),
        ("VentureDeterministic-v4", "venture"),
        ("Q*bert", "qbert"),
        ("ALE/TicTacToe3D-v5", "tic_tac_toe_3d"),
    ],
)
def test_a_game_by_its_common_names(name: str, game: str) -> None:
    assert find_game(name) == game


def test_an_unknown_game_lists_the_nearest() -> None:
    with pytest.raises(ValueError, match="got 'ventur'; similar names: venture"):
        Atari("ventur")
    with pytest.raises(ValueError, match="game must be one that ale-py ships"):
        Atari("../../venture.bin")
    with pytest.raises(TypeError, match="game must be a name such as 'venture', got None"):
        Atari(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", roms.get_all_rom_ids())
def test_every_rom_that_ale_py_ships(game: str) -> None:
    """All play, and give features, but the four for two players, which are refused."""
    if game in ("combat", "joust", "maze_craze", "warlords"):
        with pytest.raises(ValueError, match="game must be a single-player game"):
            Atari(game)
        return
    world = started(game)
    height, width = world.observation_space.shape or ()
    assert width == 160
    assert height >= 210
    assert len(play(world, 30)) >= 30
    screen, *_ = world.step(np.int64(0))
    is_ntsc = np.array_equal(ntsc()[screen >> 1], world._emulator.rgb())
    assert is_ntsc == (game not in PAL)
    assert BlobProst(shape=screen.shape).active(screen).size >= 3


@pytest.mark.parametrize("game", sorted(PAL))
def test_a_pal_game_cannot_be_blended(game: str) -> None:
    with pytest.raises(ValueError, match=f'screen must be "last" for {game}'):
        Atari(game, screen="blend")
