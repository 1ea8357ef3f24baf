"""Are a tree's answers the same bits as those of an earlier commit? `make same-bits OLD=REF`."""
