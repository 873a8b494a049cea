import Crypto
import Foundation
import MediaCore

/// The codes of an authenticator app: TOTP (RFC 6238) with SHA-1, 6 digits and 30 seconds, which is what all apps know.
package struct TimeBasedCode: Sendable, CustomStringConvertible {
    /// The key that the app and the server share.
    let key: [UInt8]

    /// RFC 4226 §4, R6: 160 bits.
    static let keyByteCount = 20
    static let period = Duration.seconds(30)
    private static let digitCount = 6
    private static let modulus: UInt32 = 1_000_000
    /// Steps before and after the present one that are accepted, for clocks that are wrong and people who are slow
    /// (RFC 6238 §5.2).
    static let tolerance: Int64 = 1

    /// Creates a random key.
    init() { key = RandomText.bytes(Self.keyByteCount) }

    init(key: [UInt8]) { self.key = key }

    /// A constant, because interpolated values end up in logs.
    package var description: String { "key of time-based codes" }

    /// The step that a time belongs to.
    static func step(at time: WallClockTime) -> Int64 {
        time.millisecondsSince1970 / period.wholeMilliseconds
    }

    /// The code of a step (RFC 4226 §5.3).
    func code(_ step: Int64) -> String {
        let message = withUnsafeBytes(of: UInt64(bitPattern: step).bigEndian) { Array($0) }
        let digest = Array(
            HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: key)))
        let offset = Int((digest.last ?? 0) & 0x0F)
        let number = digest[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let digits = String(number % Self.modulus)
        return String(repeating: "0", count: Self.digitCount - digits.count) + digits
    }

    /// The step whose code this is; `nil` if it is none of the steps around a time.
    ///
    /// - Parameter text: the code as it was typed; spaces do not count.
    func step(of text: String, at time: WallClockTime) -> Int64? {
        guard text.utf8.count <= Self.maximumTypedByteCount else { return nil }
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard digits.count == Self.digitCount, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        let present = Self.step(at: time)
        // All are compared, so that the time does not show which one was near.
        var found: Int64?
        for step in (present - Self.tolerance)...(present + Self.tolerance)
        where zip(code(step).utf8, digits).reduce(UInt8(0), { $0 | ($1.0 ^ $1.1) }) == 0 {
            found = step
        }
        return found
    }

    private static let maximumTypedByteCount = 20

    /// The key in base 32 (RFC 4648 §6), for typing it into an app.
    package var base32: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (text, buffer, bitCount) = ("", UInt32(0), 0)
        for byte in key {
            buffer = buffer << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                text.append(alphabet[Int(buffer >> UInt32(bitCount)) & 31])
            }
            buffer &= (1 << UInt32(bitCount)) - 1
        }
        if bitCount > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bitCount)) & 31]) }
        return text
    }

    /// The address that apps read from a QR code (Google Authenticator's Key URI Format).
    package func uri(issuer: String, username: String) -> String {
        let allowed = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
        return "otpauth://totp/\(encoded(issuer)):\(encoded(username))?secret=\(base32)&issuer=\(encoded(issuer))"
            + "&algorithm=SHA1&digits=\(Self.digitCount)&period=\(Self.period.wholeMilliseconds / 1_000)"
    }
}
