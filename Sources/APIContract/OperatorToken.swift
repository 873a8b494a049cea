import Foundation
import RTSPProtocol

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The secret that authenticates operator requests: 256 random bits, as hexadecimal digits.
///
/// Nothing else identifies an operator. Behind a reverse proxy every request has the proxy's address and often a local
/// Host, and a browser on the server's own machine sends whatever a page tells it to.
package struct OperatorToken: Sendable, Hashable, CustomStringConvertible {
    /// The file's name in the data folder.
    package static let fileName = "operator-token"
    static let byteCount = 32
    package static let digitCount = 2 * byteCount
    /// Limit of the file: the digits with a line end, and room for whatever an editor adds.
    private static let maximumFileByteCount = 128

    /// The token as 64 lower-case hexadecimal digits.
    package let text: String

    /// Creates a random token.
    package init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<Self.byteCount).map { _ in
            let digits = String(UInt8.random(in: .min ... .max, using: &generator), radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Parses a token from a file or a variable, with optional white space around it; `nil` for anything else.
    package init?(parsing text: some StringProtocol) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.utf8.count == Self.digitCount, trimmed.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.text = trimmed.lowercased()
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }

    /// Compares in constant time, regardless of where the two differ.
    package func matches(_ candidate: String) -> Bool { equalsInConstantTime(text, candidate.lowercased()) }

    /// A constant instead of the secret, because interpolated values end up in logs.
    package var description: String { "operator token" }

    /// The reason why a token file cannot be used.
    package enum ReadingFailure: Error, Sendable, Hashable {
        case missing
        /// The file cannot be read; the value is the system's message.
        case unreadable(String)
        case damaged
    }

    /// Reads a token for a client. The file's permissions are not checked; only the server requires them.
    package static func read(path: String) throws(ReadingFailure) -> OperatorToken {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(reason(errno))
        }
        defer { close(descriptor) }
        guard let text = contents(of: descriptor) else { throw .unreadable(reason(errno)) }
        guard let token = OperatorToken(parsing: text) else { throw .damaged }
        return token
    }

    /// Reads a token file that is open.
    ///
    /// - Returns: `nil` if the file cannot be read; an empty string, which is not a token, if it is too long.
    package static func contents(of descriptor: CInt) -> String? {
        var bytes = [UInt8](repeating: 0, count: maximumFileByteCount + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return count > maximumFileByteCount ? "" : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func reason(_ number: CInt) -> String { String(cString: strerror(number)) }
}
