//! Other values in place of a file's, and where values come from.

use crate::common::SMALL;
use platterlab_drive::{Latency, SeekCurve, Skew};
use platterlab_profile::{OriginKind, Profile};
use platterlab_units::Span;
use toml::Value;

fn small() -> Profile {
    Profile::parse(SMALL, "p.toml").expect("the small profile is sound")
}

fn message(key: &str, value: impl Into<Value>) -> String {
    small().with_overrides(&[(key, value.into())]).expect_err(key).to_string()
}

#[test]
fn values_change_and_say_so() {
    let overrides = [
        ("zone[0].track_skew_sectors", Value::from(7)),
        ("zone.1.cylinder_skew_deg", Value::from(90)),
        ("spindle.speed_rpm", Value::from(6000.5)),
        ("spindle.latency", Value::from("mean")),
        ("switch.head_ms", Value::from(0.5)),
    ];
    let profile = small().with_overrides(&overrides).unwrap();
    let params = profile.params();
    assert_eq!(params.layout.zones[0].track_skew, Skew::Sectors(7));
    assert_eq!(params.mechanism.rotation, Span::from_ps(9_999_166_736));
    assert_eq!(params.mechanism.latency, Latency::Mean);
    assert_eq!(params.mechanism.head_switch, [Span::from_us(500); 2]);
    for key in ["zone[0].track_skew_sectors", "spindle.speed_rpm", "switch.head_ms"] {
        let origin = profile.provenance(key).unwrap();
        assert_eq!((origin.kind, origin.from.as_str()), (OriginKind::Assumed, "override"), "{key}");
    }
    assert_eq!(small().provenance("spindle.speed_rpm").unwrap().from, "nothing");
    assert_eq!(profile.provenance("geometry.surfaces").unwrap().from, "a test");
    assert_eq!(profile.provenance("switch.settle_read_ms").unwrap().from, "default");
    assert_eq!(profile.provenance("switch.nothing"), None);
}

#[test]
fn another_kind_starts_its_table_afresh_whatever_the_order() {
    let time = ("seek.time_ms", Value::from(3));
    let kind = ("seek.kind", Value::from("constant"));
    for overrides in [[time.clone(), kind.clone()], [kind, time]] {
        let profile = small().with_overrides(&overrides).unwrap();
        let expected = SeekCurve::Constant { time: Span::from_us(3_000) };
        assert_eq!(profile.params().mechanism.seek, expected);
        assert_eq!(profile.provenance("seek.kind").unwrap().from, "override");
    }
    let same = small().with_overrides(&[("seek.kind", Value::from("linear"))]).unwrap();
    assert_eq!(same.params(), small().params());
    let bus = [
        ("bus.read_mb_s", Value::from(1)),
        ("bus.write_mb_s", Value::from(2)),
        ("bus.kind", Value::from("rate")),
    ];
    let bus = small().with_overrides(&bus).unwrap();
    assert_eq!(bus.params().bus.read_sector, Span::from_us(512));
    let off = bus.with_overrides(&[("bus.kind", Value::from("off"))]).unwrap();
    assert_eq!(off.params().bus, small().params().bus);
}

#[test]
fn mistakes_are_told_as_those_of_a_file_are() {
    let at = "p.toml with overrides, ";
    for (key, value, expected) in [
        (
            "spindle.speed_rmp",
            Value::from(1),
            "spindle.speed_rmp: is not a key here; did you mean `speed_rpm`?",
        ),
        (
            "spindel.speed_rpm",
            Value::from(1),
            "spindel: is not a key here; did you mean `spindle`?",
        ),
        (
            "spindle.speed_rpm",
            Value::from(0),
            "spindle.speed_rpm: 0 is out of range; write a number from 1 to 100000 (revolutions \
             per minute)",
        ),
        ("zone[2].sectors_per_track", Value::from(1), "zone[2]: there are 2, counted from 0"),
        ("seek[0]", Value::from(1), "seek: has no item 0: it is not a list in this profile"),
        (
            "zone.sectors_per_track",
            Value::from(1),
            "zone: is a list, of which `sectors_per_track` is none: write zone[0]",
        ),
        ("geometry.surfaces.x", Value::from(1), "geometry.surfaces: has no `x`: it is not a table"),
        (
            "name",
            Value::from("x"),
            "name: describes the file and is not a parameter of the drive; edit the file instead",
        ),
        (
            "spindle..x",
            Value::from(1),
            "\"spindle..x\": is not a dotted key; write one such as spindle.speed_rpm or \
             zone[0].cylinders",
        ),
        (
            "geometry.cylinders",
            Value::from(11),
            "line 14, zone[1].cylinders: the zones end before cylinder 10, but the drive has 11 \
             cylinders; end the last zone at 10",
        ),
    ] {
        assert_eq!(message(key, value), format!("{at}{expected}"));
    }
}

#[test]
fn overrides_survive_in_the_file() {
    let overrides = [("seek.kind", Value::from("constant")), ("seek.time_ms", Value::from(0))];
    let changed = small().with_overrides(&overrides).unwrap();
    let again = Profile::parse(&changed.to_toml(), "q.toml").unwrap();
    assert_eq!(again.params(), changed.params());
    assert_eq!(again.values(), changed.values());
}

#[test]
fn the_costs_of_the_controller_are_refined_from_plain_to_special() {
    let overrides = [
        ("controller.read_ms", Value::from(1)),
        ("controller.write_ms", Value::from(2)),
        ("controller.after_write.read_ms", Value::from(3)),
        ("controller.hit.read_ms", Value::from(4)),
        ("controller.hit_after_write.write_ms", Value::from(5)),
    ];
    let profile = small().with_overrides(&overrides).unwrap();
    let ms = |n: u64| Span::from_us(1_000 * n);
    let [read, write] = profile.params().controller.overhead;
    assert_eq!(read, [[ms(1), ms(3)], [ms(4), ms(4)]]);
    assert_eq!(write, [[ms(2), ms(2)], [ms(2), ms(5)]]);
}
