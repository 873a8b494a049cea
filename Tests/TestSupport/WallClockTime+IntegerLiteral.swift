package import MediaCore

/// Milliseconds since 1970, for tests whose times are small numbers.
extension WallClockTime: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(millisecondsSince1970: value) }
}
