import Foundation

/// The shortcuts that exist for speed only, and lie in folders named `Fast`; docs/fast-paths.md has the worth of each.
/// Without them everything works, with more processor time.
package struct FastPaths: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Publishers' packets are read together, at ticks, while nobody waits for them.
    package static let pacedReads = FastPaths(rawValue: 1 << 0)
    /// Between a viewer's parts packets are read at ticks, too.
    package static let partRhythm = FastPaths(rawValue: 1 << 1)
    /// Live segments that several viewers fetch are files in memory.
    package static let sharedSegments = FastPaths(rawValue: 1 << 2)
    /// The files of shared segments lie in pages of 2 MB.
    package static let hugePages = FastPaths(rawValue: 1 << 3)
    /// Simple requests for media are answered before HTTP is decoded.
    package static let simpleRequests = FastPaths(rawValue: 1 << 4)
    /// Many listeners to events share one task, which writes to their sockets.
    package static let eventCrowd = FastPaths(rawValue: 1 << 5)
    /// Connections stay on their event loops until they need a task.
    package static let heldConnections = FastPaths(rawValue: 1 << 6)

    /// All of them, by the names of the variable.
    static let named: KeyValuePairs<String, FastPaths> = [
        "pacedReads": .pacedReads, "partRhythm": .partRhythm, "sharedSegments": .sharedSegments,
        "hugePages": .hugePages, "simpleRequests": .simpleRequests, "eventCrowd": .eventCrowd,
        "heldConnections": .heldConnections,
    ]

    /// The variable that leaves some out, for measurements and tests: names with commas between them, or `all`.
    static let variable = "ANTENA_WITHOUT_FAST_PATHS"

    /// The paths of this process.
    package static let current = FastPaths(without: ProcessInfo.processInfo.environment[variable] ?? "")

    /// - Parameter names: those that are left out, with commas between them; `all` for all. Unknown names are ignored.
    init(without names: String) {
        self = []
        let names = names.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard !names.contains("all") else { return }
        for (name, path) in Self.named where !names.contains(name) { insert(path) }
    }

    /// Whether a path is taken.
    package static func takes(_ path: FastPaths) -> Bool { current.contains(path) }
}
