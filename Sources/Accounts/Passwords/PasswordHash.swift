import Crypto
import CryptoExtras
import Foundation

/// A password as the database holds it: scrypt's parameters, the salt and the key, in the string format of the Password
/// Hashing Competition, `$scrypt$ln=15,r=8,p=3$SALT$KEY` with base64 without padding.
///
/// The parameters are in the text, so that they can be raised: older hashes are replaced when their owner logs in.
package struct PasswordHash: Sendable, Hashable, CustomStringConvertible {
    package let parameters: ScryptParameters
    private let salt: [UInt8]
    private let key: [UInt8]

    private static let saltByteCount = 16
    private static let keyByteCount = 32
    /// Bounds for what is read from the database.
    private static let byteCounts = 8...64

    /// Computes the hash of a password with a random salt. It takes the memory and time that the parameters demand, so
    /// it must not run on an event loop; see ``PasswordHasher``.
    ///
    /// - Throws: an error of the library if it has no memory.
    init(of password: Password, _ parameters: ScryptParameters) throws {
        self.parameters = parameters
        salt = RandomText.bytes(Self.saltByteCount)
        key = try Self.key(password, salt, Self.keyByteCount, parameters)
    }

    /// A hash that no password has. It costs as much to compare with as any other, and nothing to make.
    init(matchingNothing parameters: ScryptParameters) {
        self.parameters = parameters
        salt = RandomText.bytes(Self.saltByteCount)
        key = RandomText.bytes(Self.keyByteCount)
    }

    /// Parses the text of a column; `nil` if it is not a hash of this kind, or its parameters are out of bounds.
    package init?(parsing text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let parameters = Self.parameters(parts[2]),
            let salt = Self.bytes(parts[3]), let key = Self.bytes(parts[4])
        else { return nil }
        (self.parameters, self.salt, self.key) = (parameters, salt, key)
    }

    /// The text of the column.
    package var text: String {
        let parameters = "ln=\(parameters.logRounds),r=\(parameters.blockSize),p=\(parameters.parallelism)"
        return "$scrypt$\(parameters)$\(Self.base64(salt))$\(Self.base64(key))"
    }

    /// A constant, because interpolated values end up in logs.
    package var description: String { "password hash" }

    /// Whether this is the password. Costs as much as making the hash.
    func matches(_ password: Password) throws -> Bool {
        let candidate = try Self.key(password, salt, key.count, parameters)
        // In constant time, although nobody can choose a hash.
        return zip(candidate, key).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func key(
        _ password: Password, _ salt: [UInt8], _ byteCount: Int, _ parameters: ScryptParameters
    ) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: password.bytes, salt: salt, outputByteCount: byteCount, rounds: parameters.rounds,
            blockSize: parameters.blockSize, parallelism: parameters.parallelism)
        return key.withUnsafeBytes { Array($0) }
    }

    private static func parameters(_ text: Substring) -> ScryptParameters? {
        var values: [Substring: Int] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, let value = Int(pair[1]) else { return nil }
            values[pair[0]] = value
        }
        guard let logRounds = values["ln"], let blockSize = values["r"], let parallelism = values["p"] else {
            return nil
        }
        return ScryptParameters(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("=", with: "")
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding), byteCounts.contains(data.count) else { return nil }
        return Array(data)
    }
}
