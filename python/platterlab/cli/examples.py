"""An example of each command, as it stands below its help. All of them are run by the tests."""

EXAMPLES = {
    "characterize": ("platterlab characterize mock --out mock.bundle",),
    "simulate": (
        "platterlab simulate -p hp-c2200a -t work.trace --per-request rows.parquet",
        "platterlab simulate raid5.toml --vary host.scheduler.kind=fcfs,sptf --table grid.parquet",
    ),
    "sweep": ("platterlab sweep sweep.toml --workers 2",),
    "calibrate": ("platterlab calibrate -p rough.toml -t measured.csv --rough --out better.toml",),
    "calibrations": ("platterlab calibrations drives.toml --workers 2",),
    "compare": ("platterlab compare before.parquet after.parquet --fail-if 'p99 > +5 %'",),
    "capture": ("platterlab capture --out run.flow -- cp -r a b",),
    "serve": ("platterlab serve hp-97560 --store disk.img --nbd /tmp/disk.sock",),
    "serve-ctl": ("platterlab serve-ctl /tmp/control speed 0.1",),
    "study": ("platterlab study list",),
    "report": ("platterlab report before.parquet after.parquet --out both.html",),
    "show": (
        "platterlab show hp-c2200a --trace work.trace --scheduler sptf --out work.html",
        'platterlab show --ostep "-a 7,30,8 -p SSTF" --out homework.html',
    ),
    "example": ("platterlab example raid5-sptf > mine.toml",),
    "schema": ("platterlab schema experiment > experiment.schema.json",),
    "completion": ("platterlab completion bash > platterlab.bash",),
    "man": ("platterlab man simulate | man -l -",),
    "archive add": ("platterlab archive add mock.bundle",),
    "archive list": ("platterlab archive list",),
    "archive compare": ("platterlab archive compare mock.bundle other.bundle",),
    "archive check": ("platterlab archive check mock.bundle",),
    "archive publish": ("platterlab archive publish site",),
    "av align": ("platterlab av align -p toshiba-dt01aca300 --extent 128k --out aligned.toml",),
    "av plan": ("platterlab av plan -p toshiba-dt01aca300 --sessions 8 --rate 1.5M",),
    "av play": (
        "platterlab av play -p toshiba-dt01aca300 --sessions 8 --rate 1.5M --period-ms 1000",
    ),
    "profile list": ("platterlab profile list",),
    "profile show": ("platterlab profile show hp-c2200a --layout --out layout.png",),
    "profile new": (
        "platterlab profile new --capacity 8TB --rpm 7200 --surfaces 10 --outer-mb-s 240 "
        "--inner-mb-s 110 --seek-average 8.5 --cache 256M --out my.toml",
    ),
    "profile check": ("platterlab profile check hp-c2200a rough.toml",),
    "profile edit": (
        "platterlab profile edit hp-c2200a --set spindle.speed_rpm=5400 --out mine.toml",
        "platterlab profile edit mine.toml",
    ),
    "profile import": ("platterlab profile import cheetah9LP.diskspecs --out cheetah.toml",),
    "profile export": ("platterlab profile export cheetah.toml --out again.diskspecs",),
    "profile schema": ("platterlab profile schema > profile.schema.json",),
    "task write": ("platterlab task write compress compress.flow",),
    "task list": ("platterlab task list",),
    "trace info": ("platterlab trace info work.trace --from 10s --for 1m",),
    "trace convert": ("platterlab trace convert work.trace work.iolog --to fio-iolog-v3",),
    "trace formats": ("platterlab trace formats",),
}
"""By the words of the command."""


def below(words: str) -> str | None:
    """What stands below the help of a command."""
    lines = EXAMPLES.get(words, ())
    return "\n\n".join(f"Example: {line}" for line in lines) or None
