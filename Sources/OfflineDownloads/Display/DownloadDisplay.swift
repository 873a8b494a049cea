import Foundation
import MediaCore
import OfflineCopyFormat
import Synchronization

/// Shows the progress of several downloads: a bar for each on a terminal, a line for every tenth elsewhere.
package final class DownloadDisplay: Sendable {
    private struct State {
        var order: [String] = []
        var progress: [String: DownloadProgress] = [:]
        /// The lines that stand on the terminal.
        var drawnLineCount = 0
        var drawnAt: Duration?
        /// The tenths and phases that were written, if there is no terminal.
        var written: [String: String] = [:]
    }

    private let state = Mutex(State())
    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    private let elapsed = ContinuousClock().elapsed()

    /// The time between two drawings.
    private static let interval = Duration.milliseconds(200)
    private static let barWidth = 30
    private static let maximumNameLength = 32

    /// - Parameters:
    ///   - isTerminal: whether lines can be drawn over.
    ///   - write: receives the output, line ends included.
    package init(isTerminal: Bool, write: @escaping @Sendable (String) -> Void) {
        (self.isTerminal, self.write) = (isTerminal, write)
    }

    /// Shows on standard error, because standard output is for results.
    package convenience init() {
        self.init(isTerminal: isatty(STDERR_FILENO) == 1) {
            try? FileHandle.standardError.write(contentsOf: Data($0.utf8))
        }
    }

    /// Shows how far a download is.
    ///
    /// - Parameters:
    ///   - progress: its state.
    ///   - key: which download it is.
    package func show(_ progress: DownloadProgress, of key: String) {
        let now = elapsed()
        state.withLock { state in
            if state.progress[key] == nil { state.order.append(key) }
            let isNew = state.progress[key]?.phase != progress.phase
            state.progress[key] = progress
            guard isTerminal else {
                let step = "\(progress.phase) \(Int(progress.fraction * 10))"
                guard state.written[key] != step else { return }
                state.written[key] = step
                write(Self.line(progress) + "\n")
                return
            }
            if !isNew, let drawnAt = state.drawnAt, now - drawnAt < Self.interval { return }
            state.drawnAt = now
            var text = state.drawnLineCount > 0 ? "\u{1B}[\(state.drawnLineCount)A" : ""
            for key in state.order {
                guard let progress = state.progress[key] else { continue }
                text += "\r\(Self.line(progress))\u{1B}[K\n"
            }
            state.drawnLineCount = state.order.count
            write(text)
        }
    }

    /// A download as a line.
    static func line(_ progress: DownloadProgress) -> String {
        let name = String(progress.name.prefix(maximumNameLength))
        let filled = Int(progress.fraction * Double(barWidth))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled)
        let phase =
            switch progress.phase {
            case .preparing: "the server prepares it"
            case .downloading: "downloading"
            case .waiting: "waiting for the server"
            case .downloaded: "downloaded"
            case .paused: "paused"
            }
        let sizes = "\(size(progress.receivedByteCount)) of \(size(progress.byteCount))"
        return "\(name) [\(bar)] \(Int(progress.fraction * 100)) %, \(sizes), \(phase)"
    }

    /// A size for people, such as `1.4 GB`.
    package static func size(_ byteCount: Int64) -> String { CopySize.text(byteCount) }
}
