//! The list of trace formats.

/// How a trace file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// HP Labs SRT 1.3, the format of the 1992 traces.
    HpSrt,
    /// DiskSim's `validate`: service times measured on a drive.
    DisksimValidate,
    /// DiskSim's `ascii`: arrivals, device, address, length, flags.
    DisksimAscii,
    /// The binary events of Linux's block layer.
    Blktrace,
    /// The same events as `blkparse` prints them.
    Blkparse,
    /// Requests in a CSV with the words of blkparse.
    BlkparseCsv,
    /// The loads of blkreplay.
    Blkreplay,
    /// What fio did, without times.
    FioIologV2,
    /// What fio did, with times.
    FioIologV3,
    /// The latency or bandwidth log of fio.
    FioLog,
    /// The table of `biosnoop`.
    Biosnoop,
    /// The traces of MSR Cambridge.
    MsrCambridge,
    /// The traces of UMass, in the SPC's format.
    Spc,
    /// The traces of a virtual desktop infrastructure.
    Systor17,
    /// The block traces of Alibaba's cloud.
    Alibaba,
    /// The block traces of Tencent's cloud.
    Tencent,
    /// The binary traces of libCacheSim.
    OracleGeneral,
    /// The text of Windows' events, and Microsoft's production servers.
    Etw,
    /// What Sysinternals DiskMon saves.
    Diskmon,
    /// Our own per-request rows, as CSV.
    Rows,
    /// The same as Parquet.
    RowsParquet,
    /// A table whose columns the user names.
    Mapped,
}
