"""From a screen to the ids of its Blob-PROST features."""
