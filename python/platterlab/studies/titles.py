"""Names, titles and sources of the studies: known without loading what they stand on."""

TITLES: dict[str, tuple[str, str]] = {
    "disksim-grid": (
        "DiskSim's answers on small systems: queues, arrays, buses, caches",
        "DiskSim 4.0's answers to each request, and Bucy et al. 2008 (CMU-PDL-08-101)",
    ),
    "disksim-systems": (
        "DiskSim's own system checks, and each of its scheduling decisions",
        "Bucy et al. 2008 (CMU-PDL-08-101): DiskSim 4.0's validation systems, its own answers",
    ),
    "disksim-validation": (
        "Six real drives, request by request, beside DiskSim 4.0",
        "DiskSim 4.0, validation traces (Ganger and others; HP, Michigan and DIXtrac)",
    ),
    "ganger-patt": (
        "System-level models, request criticality, and what storage alone gets wrong",
        "Ganger and Patt 1998, Tables 3 to 6 and Figures 1 to 3",
    ),
    "gim": (
        "A disk for audio and video: extents aligned to tracks",
        "Gim, Chang, Jung, Won, Shim and Park 2009, Figures 1 to 5 and Tables 1 and 2",
    ),
    "queueing": (
        "Arrays, mirrors and buses against queueing theory",
        "Nelson and Tantawi 1988; Reiser and Lavenberg 1980; Pollaczek-Khinchine; Erlang",
    ),
    "ruemmler-wilkes": (
        "A ladder of disk models against a real week",
        "Ruemmler and Wilkes 1994, Figure 4 and Table 3",
    ),
    "talagala": (
        "Nine drives characterized blind, and a thousand random ones",
        "Talagala, Arpaci-Dusseau and Patterson 1999, Tables 2 and 3, Figures 3 to 21",
    ),
    "unseen-calibrations": (
        "made-up drives, drawn and timed without a look at the calibration",
        "drawn from Ruemmler and Wilkes 1994, Talagala 1999, Wong 2019 and DiskSim's manual",
    ),
    "unseen-drives": (
        "random drives and hosts, drawn without a look at the extraction",
        "drawn from the papers' drives, Wong 2019 and DiskSim's parameter files",
    ),
}
"""By the name that `platterlab study` has for it: what it shows, in a line, and the source."""
