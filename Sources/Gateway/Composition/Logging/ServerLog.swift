import Foundation
import LogMetadata
import Logging
package import ServerSettings
import Synchronization

/// The log of a server, on standard error.
package enum ServerLog {
    /// Keeps the lines of other threads out of a line.
    private static let isWriting = Mutex(())

    /// Sends all loggers of the program there. Call it once.
    package static func start(_ configuration: ServerConfiguration) {
        let (level, format) = (configuration.logLevel, configuration.logFormat)
        LoggingSystem.bootstrap(
            { label, provider in
                var handler: any LogHandler =
                    switch format {
                    // Standard output is reserved for --print-ports.
                    case .text: StreamLogHandler.standardError(label: label, metadataProvider: provider)
                    case .json: JSONLogHandler(label: label, metadataProvider: provider, write: write)
                    }
                handler.logLevel = level
                return EscapingLogHandler(TailedLogHandler(handler, tail: .shared))
            }, metadataProvider: RequestIdentifier.metadataProvider)
    }

    @Sendable private static func write(_ line: String) {
        isWriting.withLock { _ in
            // The reader of the log may be gone.
            try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
        }
    }
}
