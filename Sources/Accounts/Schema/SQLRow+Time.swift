import Database
import MediaCore

extension SQLRow {
    /// A time in milliseconds since 1970.
    func time(_ column: Int) throws(SQLError) -> WallClockTime {
        WallClockTime(millisecondsSince1970: try value(column))
    }

    func optionalTime(_ column: Int) throws(SQLError) -> WallClockTime? {
        (try optional(column) as Int64?).map { WallClockTime(millisecondsSince1970: $0) }
    }

    /// A yes or no that is stored as 1 or 0.
    func flag(_ column: Int) throws(SQLError) -> Bool { try value(column) as Int64 != 0 }
}

extension SQLValue {
    static func time(_ time: WallClockTime) -> SQLValue { .integer(time.millisecondsSince1970) }
    static func time(_ time: WallClockTime?) -> SQLValue { time.map { .integer($0.millisecondsSince1970) } ?? .null }
    static func flag(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }
}
