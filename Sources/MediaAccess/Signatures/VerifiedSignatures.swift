import Synchronization

/// Remembers signatures that were verified, because a player sends the same one with every request, and computing the
/// code again costs more than all else that decides about a segment.
///
/// Only what this server has signed gets in, so nobody can fill it with made-up signatures. It forgets in two
/// generations: when the younger one is full it becomes the older one, and what is used moves to the younger one again.
final class VerifiedSignatures: Sendable {
    struct Key: Hashable, Sendable {
        var text: String
        var folder: String
    }

    private struct Generations {
        var younger: [Key: MediaSignature] = [:]
        var older: [Key: MediaSignature] = [:]
    }

    private let generations = Mutex(Generations())
    private let generationCount: Int

    /// - Parameter generationCount: limit of a generation; each signature takes about 400 bytes.
    init(generationCount: Int = 2_048) { self.generationCount = generationCount }

    /// The parsed signature if it was verified for the folder; otherwise `nil`, and it has to be verified.
    func signature(_ key: Key) -> MediaSignature? {
        generations.withLock { generations in
            if let signature = generations.younger[key] { return signature }
            guard let signature = generations.older[key] else { return nil }
            Self.insert(signature, key, generationCount, into: &generations)
            return signature
        }
    }

    /// Remembers a signature that was verified.
    func insert(_ signature: MediaSignature, _ key: Key) {
        generations.withLock { Self.insert(signature, key, generationCount, into: &$0) }
    }

    private static func insert(
        _ signature: MediaSignature, _ key: Key, _ limit: Int, into generations: inout Generations
    ) {
        if generations.younger.count >= limit {
            generations.older = generations.younger
            generations.younger = [:]
        }
        generations.younger[key] = signature
    }
}
