"""Events of the kernel that a capture records, and their filters.

`TREE` is recorded for the traced processes alone: the kernel follows their forks. `SYSTEM` is
recorded for the whole machine, or for the traced device where an event says which one it is of.
Events that a kernel does not have are left out if they are in `OPTIONAL`.
"""

TREE = {
    "raw_syscalls/sys_enter": None,
    "raw_syscalls/sys_exit": None,
    "filemap/mm_filemap_get_pages": "s_dev",
    "filemap/mm_filemap_fault": "s_dev",
    "ext4/ext4_da_write_begin": "dev",
    "ext4/ext4_write_begin": "dev",
    "ext4/ext4_sync_file_enter": "dev",
    "ext4/ext4_truncate_enter": "dev",
    "ext4/ext4_evict_inode": "dev",
    "xfs/xfs_file_buffered_write": "dev",
    "xfs/xfs_file_fsync": "dev",
    "writeback/balance_dirty_pages": None,
}

SYSTEM = {
    "sched/sched_switch": None,
    "sched/sched_waking": None,
    "sched/sched_stat_runtime": None,
    "sched/sched_process_fork": None,
    "block/block_bio_queue": "dev",
    "block/block_rq_issue": "dev",
    "block/block_rq_complete": "dev",
    "block/block_rq_requeue": "dev",
    "readahead/page_cache_sync_ra": "s_dev",
    "readahead/page_cache_async_ra": "s_dev",
    "filemap/mm_filemap_add_to_page_cache": "s_dev",
    "ext4/ext4_es_insert_extent": "dev",
    "ext4/ext4_es_lookup_extent_exit": "dev",
    "workqueue/workqueue_queue_work": None,
    "workqueue/workqueue_execute_start": None,
    "workqueue/workqueue_execute_end": None,
    "irq/irq_handler_entry": None,
    "irq/irq_handler_exit": None,
    "irq/softirq_entry": None,
    "irq/softirq_exit": None,
}

OPTIONAL = ("ext4/", "xfs/", "readahead/", "filemap/mm_filemap_get_pages")
