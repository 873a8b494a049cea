package import MediaCore

extension SQLRow {
    /// A time in milliseconds since 1970.
    package func time(_ name: String) throws(SQLError) -> WallClockTime {
        WallClockTime(millisecondsSince1970: try value(name))
    }

    /// A time in milliseconds since 1970, or NULL.
    package func optionalTime(_ name: String) throws(SQLError) -> WallClockTime? {
        (try optional(name) as Int64?).map { WallClockTime(millisecondsSince1970: $0) }
    }

    /// A yes or no that is stored as 1 or 0.
    package func flag(_ name: String) throws(SQLError) -> Bool { try value(name) as Int64 != 0 }
}

extension SQLValue {
    /// A time in milliseconds since 1970.
    package static func time(_ time: WallClockTime) -> SQLValue { .integer(time.millisecondsSince1970) }

    /// A time in milliseconds since 1970, or NULL.
    package static func time(_ time: WallClockTime?) -> SQLValue {
        time.map { .integer($0.millisecondsSince1970) } ?? .null
    }

    /// A yes or no as 1 or 0.
    package static func flag(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }
}
