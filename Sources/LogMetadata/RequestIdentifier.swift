package import Logging

/// The identifier of one HTTP request, by which the response, the log lines and a complaint find each other.
package struct RequestIdentifier: Sendable, Hashable {
    /// 1 to ``maximumCharacterCount`` characters of those that are allowed.
    package let text: String

    /// The identifier of the request that the current task answers, or that has asked for the job which it does; `nil`
    /// outside of both.
    @TaskLocal package static var current: RequestIdentifier?

    /// Limit of identifiers that a proxy gives: two UUIDs with a name before them.
    package static let maximumCharacterCount = 128
    private static let digitCount = 32

    /// Makes one of 128 random bits, in the form of a trace ID (W3C Trace Context §3.2.2.3) and of nginx's
    /// `$request_id`.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let (high, low) = (generator.next() as UInt64, generator.next() as UInt64)
        let digits = [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: Self.digitCount / 2 - digits.count) + digits
        }
        text = digits.joined()
    }

    /// Takes the identifier that a proxy has given.
    ///
    /// - Returns: `nil` if it is empty, too long, or has other characters than letters and digits of ASCII and
    ///   `-_.:=+/`, which are harmless in logs.
    package init?(parsing text: String) {
        guard (1...Self.maximumCharacterCount).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_.:=+/".utf8.contains(byte)
        }
    }

    /// Adds the identifier to every log line of the task that answers the request, no matter which part of the program
    /// writes it.
    package static let metadataProvider = Logger.MetadataProvider {
        guard let current else { return [:] }
        return [LogKey.requestID.rawValue: .string(current.text)]
    }
}
