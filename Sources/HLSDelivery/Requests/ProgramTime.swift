import HLSPlaylist
package import MediaCore

/// A point in time of a channel's programme, written as an ISO 8601 date or as seconds since 1970.
package struct ProgramTime: Hashable, Sendable {
    package var time: WallClockTime

    /// The latest accepted time, the end of the year 9999, in seconds since 1970.
    private static let latest = 253_402_300_799.0
    /// Limit of the text, longer than any date.
    private static let maximumByteCount = 64

    /// Returns `nil` if the text is not a valid time.
    ///
    /// - Parameter text: the value of a query parameter, in which `+` and `:` may be percent-encoded.
    package init?(parsing text: Substring) {
        guard text.utf8.count <= Self.maximumByteCount, let plain = text.removingPercentEncoding else { return nil }
        if let date = ProgramDateTime(parsing: plain) {
            guard date.millisecondsSince1970 >= 0 else { return nil }
            self.init(secondsSince1970: Double(date.millisecondsSince1970) / 1_000)
        } else {
            // Digits and a point are allowed, but neither a sign nor an exponent.
            guard plain.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
                let seconds = Double(plain)
            else { return nil }
            self.init(secondsSince1970: seconds)
        }
    }

    /// Rounds to milliseconds. Returns `nil` before 1970, after the year 9999 and for values that are not numbers.
    package init?(secondsSince1970 seconds: Double) {
        guard seconds >= 0, seconds <= Self.latest else { return nil }
        time = WallClockTime(millisecondsSince1970: Int64((seconds * 1_000).rounded()))
    }
}
