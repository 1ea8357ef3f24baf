//! The drive model against hand-computed values, slow independent oracles and properties.

mod analytic;
mod cache_policies;
mod estimates;
mod gates;
mod immediate_reporting;
mod in_turn;
mod last_sector;
mod layout_errors;
mod layout_oracle;
mod layout_properties;
mod limits;
mod listed;
mod overheads;
mod properties;
mod random_drive;
mod random_layout;
mod read_ahead;
mod read_cache;
mod reads;
mod round;
mod seek_first;
mod stale_data;
mod track_end;
mod transfer_oracle;
mod write_back;
mod writes;
