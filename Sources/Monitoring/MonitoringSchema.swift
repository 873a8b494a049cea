package import Database

/// The table of viewers by the hour.
package enum MonitoringSchema {
    static let viewers = SQLTable(
        "viewerHour",
        [
            // Hours since 1970.
            .integer("hour"), .text("kind"), .text("name"),
            // The most viewers of a minute, and the viewers of all minutes together.
            .integer("peak"), .integer("minutes"),
        ], key: ["hour", "kind", "name"])

    package static let schema = SQLSchema(domain: "monitoring", tables: [viewers])
}
