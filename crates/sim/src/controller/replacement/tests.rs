//! Each policy against a plain list that is searched.

use super::*;
use proptest::prelude::*;

/// What a policy keeps of a sequence of keys: which accesses hit.
fn hits(kind: &Replacement, slots: usize, keys: &[u64]) -> Vec<bool> {
    let mut policy = Replacer::new(kind, slots, LatencyStream::new(1));
    let mut table = Table::new(slots);
    let mut held = Vec::new();
    let mut access = |key| {
        let key = (0, key);
        if let Some(slot) = table.get(key) {
            policy.used(slot);
            return true;
        }
        policy.missed(key);
        let slot = if held.len() < slots {
            held.push(key);
            held.len() as u32 - 1
        } else {
            let slot = policy.victim(|_| true).expect("all may go");
            policy.leave(slot, held[slot as usize]);
            table.remove(held[slot as usize]);
            held[slot as usize] = key;
            slot
        };
        policy.enter(slot, key);
        table.insert(key, slot);
        false
    };
    keys.iter().map(|&key| access(key)).collect()
}

fn listed(slots: usize, keys: &[u64], on_hit: bool, last: bool) -> Vec<bool> {
    let mut held: Vec<u64> = Vec::new();
    let mut access = |key| {
        if let Some(at) = held.iter().position(|&one| one == key) {
            if on_hit {
                let key = held.remove(at);
                held.push(key);
            }
            return true;
        }
        if held.len() == slots {
            held.remove(if last { slots - 1 } else { 0 });
        }
        held.push(key);
        false
    };
    keys.iter().map(|&key| access(key)).collect()
}

/// Two segments as lists.
fn two_segments(slots: usize, keys: &[u64]) -> Vec<bool> {
    let (mut low, mut high): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
    let mut access = |key| {
        let hit = low.contains(&key) || high.contains(&key);
        if hit {
            low.retain(|&one| one != key);
            high.retain(|&one| one != key);
            high.push(key);
            if high.len() > slots / 2 {
                low.push(high.remove(0));
            }
            return true;
        }
        if low.len() + high.len() == slots {
            if low.is_empty() {
                high.remove(0)
            } else {
                low.remove(0)
            };
        }
        low.push(key);
        false
    };
    keys.iter().map(|&key| access(key)).collect()
}

/// The algorithm of the paper's figure 4, over plain lists with the newest at the end.
fn arc(c: usize, keys: &[u64]) -> Vec<bool> {
    let (mut t1, mut t2, mut b1, mut b2): (Vec<u64>, Vec<u64>, Vec<u64>, Vec<u64>) =
        Default::default();
    let mut p = 0;
    let mut access = |key: u64| {
        if t1.contains(&key) || t2.contains(&key) {
            t1.retain(|&one| one != key);
            t2.retain(|&one| one != key);
            t2.push(key);
            return true;
        }
        let (in1, in2) = (b1.contains(&key), b2.contains(&key));
        let mut replace = true;
        if in1 {
            p = (p + (b2.len() / b1.len()).max(1)).min(c);
        } else if in2 {
            p -= (b1.len() / b2.len()).max(1).min(p);
        } else if t1.len() + b1.len() == c {
            if t1.len() < c {
                b1.remove(0);
            } else {
                t1.remove(0);
                replace = false;
            }
        } else {
            let total = t1.len() + t2.len() + b1.len() + b2.len();
            replace = total >= c;
            if total == 2 * c {
                b2.remove(0);
            }
        }
        b1.retain(|&one| one != key);
        b2.retain(|&one| one != key);
        if replace {
            if !t1.is_empty() && (t1.len() > p || (in2 && t1.len() == p)) {
                b1.push(t1.remove(0));
            } else {
                b2.push(t2.remove(0));
            }
        }
        if in1 || in2 {
            t2.push(key)
        } else {
            t1.push(key)
        }
        false
    };
    keys.iter().map(|&key| access(key)).collect()
}

proptest! {
    #[test]
    fn policies_hit_where_plain_lists_do(
        slots in 2..12_usize,
        keys in prop::collection::vec(prop_oneof![0..8_u64, 0..40_u64], 1..400),
    ) {
        prop_assert_eq!(hits(&Replacement::Fifo, slots, &keys), listed(slots, &keys, false, false));
        prop_assert_eq!(hits(&Replacement::Lifo, slots, &keys), listed(slots, &keys, false, true));
        prop_assert_eq!(hits(&Replacement::Lru, slots, &keys), listed(slots, &keys, true, false));
        let halves = Replacement::SegmentedLru { shares: vec![0.5, 0.5] };
        prop_assert_eq!(hits(&halves, slots, &keys), two_segments(slots, &keys));
        prop_assert_eq!(hits(&Replacement::Arc, slots, &keys), arc(slots, &keys));
    }
}

#[test]
fn a_random_victim_is_any() {
    let mut policy = Replacer::new(&Replacement::Random, 4, LatencyStream::new(1));
    let mut chosen = [0; 4];
    for _ in 0..4_000 {
        chosen[policy.victim(|_| true).expect("all may go") as usize] += 1;
    }
    assert!(chosen.iter().all(|count| (900..1_100).contains(count)), "{chosen:?}");
    assert_eq!(policy.victim(|slot| slot == 2), Some(2));
    assert_eq!(policy.victim(|_| false), None);
}

#[test]
fn a_scan_does_not_push_out_what_is_used_again() {
    // Eight lines used over and over, and long scans in between, through twelve slots.
    let mut keys = Vec::new();
    for round in 0..50 {
        keys.extend((0..8).chain(0..8));
        keys.extend((0..20).map(|one| 1_000 + round * 20 + one));
    }
    let count = |kind| hits(&kind, 12, &keys).into_iter().filter(|&hit| hit).count();
    assert!(count(Replacement::Arc) > count(Replacement::Lru) + 300);
}
