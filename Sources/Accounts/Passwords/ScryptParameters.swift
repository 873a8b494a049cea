/// The cost of a password hash (RFC 7914 §2).
package struct ScryptParameters: Sendable, Hashable {
    /// Binary logarithm of the number of rounds.
    package let logRounds: Int
    package let blockSize: Int
    package let parallelism: Int

    /// Bounds for parameters in a stored hash: a database that was tampered with cannot make the server use up its
    /// memory.
    private static let logRoundsRange = 10...18
    private static let blockSizeRange = 1...16
    private static let parallelismRange = 1...16

    /// - Returns: `nil` for parameters that are out of bounds.
    package init?(logRounds: Int, blockSize: Int, parallelism: Int) {
        guard Self.logRoundsRange.contains(logRounds), Self.blockSizeRange.contains(blockSize),
            Self.parallelismRange.contains(parallelism)
        else { return nil }
        self.init(checked: logRounds, blockSize, parallelism)
    }

    private init(checked logRounds: Int, _ blockSize: Int, _ parallelism: Int) {
        (self.logRounds, self.blockSize, self.parallelism) = (logRounds, blockSize, parallelism)
    }

    /// 32 MiB for each log-in that is being checked; the OWASP Password Storage Cheat Sheet gives these numbers as
    /// equal to 128 MiB without parallelism.
    package static let standard = ScryptParameters(checked: 15, 8, 3)

    /// The cost of new hashes in this build: the standard one, and a thirty-second of it in a debug build, in which the
    /// compiler leaves scrypt four times slower, and which only developers and tests run.
    package static var ofThisBuild: ScryptParameters {
        #if DEBUG
        ScryptParameters(checked: 10, 8, 3)
        #else
        standard
        #endif
    }

    var rounds: Int { 1 << logRounds }
    /// Bytes that one computation needs.
    package var memoryByteCount: Int { 128 * rounds * blockSize }
}
