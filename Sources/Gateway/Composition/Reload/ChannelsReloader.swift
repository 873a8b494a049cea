import Database
import Foundation
import HLSDelivery
import HTTPEndpoints
import JSONDocument
import LiveChannels
import Logging
import LogMetadata
import MediaCore
import NIOPosix
import ServerSettings
import VODLibrary
import Workflows

/// Reloads `channels.json` and applies it to all parts of the server, one reload after the other.
actor ChannelsReloader: ChannelsReloading {
    /// The parts that a reload changes.
    struct Parts: Sendable {
        var current: CurrentChannelsFile
        var directory: LiveChannelDirectory
        var titleKeys: TitleKeys
        var library: VODLibrary
        /// Tells the parts that look at the database, which look at their settings, too.
        var changes: DatabaseChanges
    }

    private let configuration: ServerConfiguration
    private let parts: Parts
    private let logger: Logger
    /// The file's bytes when they were last loaded, or last reported as changed; `nil` if it could not be read.
    private var seen: [UInt8]?
    private var isReloading = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Limit of waiting reloads, which come from an operator, a script and a signal at the same time.
    private static let maximumWaitingCount = 8

    /// - Parameter text: the bytes of the file that the server was started with.
    init(configuration: ServerConfiguration, parts: Parts, text: [UInt8], logger: Logger) {
        self.configuration = configuration
        self.parts = parts
        seen = text
        self.logger = logger
    }

    func reload() async throws -> ChannelsReload {
        try await takeTurn()
        defer { endTurn() }
        return try await load()
    }

    /// Reloads and changes wait for their turn in the order of arrival.
    private func takeTurn() async throws(ReloadError) {
        guard waiting.count < Self.maximumWaitingCount else {
            throw ReloadError("\(configuration.channelsFile) is being reloaded; try again in a moment")
        }
        if isReloading { await withCheckedContinuation { waiting.append($0) } }
        isReloading = true
    }

    private func endTurn() {
        isReloading = false
        if !waiting.isEmpty {
            isReloading = true
            waiting.removeFirst().resume()
        }
    }

    private func load() async throws -> ChannelsReload {
        do {
            let outcome = try await apply()
            log(outcome)
            return outcome
        } catch let error as JSONFileError {
            // One log line per mistake, in the format of the command line.
            for issue in error.issues {
                logger.error(
                    "channels.json has a mistake; the previous configuration stays active",
                    metadata: [
                        .file: "\(error.file)", .line: "\(issue.position?.line ?? 0)",
                        .column: "\(issue.position?.column ?? 0)", .field: "\(issue.field)",
                        .error: "\(issue.message)",
                    ])
            }
            throw error
        }
    }

    // MARK: Changes

    func configuration() async throws -> CurrentConfiguration {
        let path = configuration.channelsFile
        return try await NIOThreadPool.singleton.runIfActive {
            let text = try ChannelsFile.read(path: path)
            let document = try ChannelsDocument(parsing: text, file: path)
            return CurrentConfiguration(document: document.shown, version: ShortDigest(text).text)
        }
    }

    func change(
        _ edit: ConfigurationEdit, version: String?, isOnMachine: Bool
    ) async throws -> (outcome: ChannelsReload, version: String) {
        try await takeTurn()
        defer { endTurn() }
        let path = configuration.channelsFile
        let text = try await NIOThreadPool.singleton.runIfActive {
            let old = try ChannelsFile.read(path: path)
            guard version == nil || version == ShortDigest(old).text else {
                throw ConfigurationError(.changedMeanwhile, "\(path) was changed meanwhile")
            }
            var document = try ChannelsDocument(parsing: old, file: path)
            let before = document
            try document.apply(edit)
            // A change that changes nothing leaves the operator's layout alone.
            guard document != before else { return old }
            guard isOnMachine || document.references.isSubset(of: before.references) else {
                throw ConfigurationError(
                    .notAllowed,
                    "providers, and slates and covers outside of the media folder, are changed on the server's machine: with "
                        + "\"antena config\" and \"antena channel\" there, or in the file")
            }
            let new = document.text
            // A file with mistakes is not written: the next start would end with them.
            _ = try ChannelsFile.parse(new, file: path)
            try ChannelsFileWriter.write(new, to: path)
            return new
        }
        return (try await load(), ShortDigest(text).text)
    }

    private func apply() async throws -> ChannelsReload {
        let (configuration, parts) = (configuration, parts)
        // New channels read their state and their archive, possibly from a disk that has to spin up.
        let attempt = try await NIOThreadPool.singleton.runIfActive { Self.attempt(configuration, parts) }
        // A mistake is reported once, not again by the file watch.
        seen = attempt.text ?? seen
        let applied = try attempt.result.get()
        if applied.outcome.changesLadder { try await parts.library.use(applied.ladder) }
        for (channel, path) in applied.missingSlates {
            logger.warning(
                "slate file is missing or unreadable", metadata: [.channelName: "\(channel)", .file: "\(path)"])
        }
        return applied.outcome
    }

    private struct Attempt: Sendable {
        /// The file's bytes; `nil` if the file cannot be read.
        var text: [UInt8]?
        var result: Result<Applied, JSONFileError>
    }

    private struct Applied: Sendable {
        var outcome: ChannelsReload
        var ladder: LadderPolicy
        var missingSlates: [(channel: String, path: String)]
    }

    /// Reads and checks the file, and applies it if it has no mistakes. Blocks.
    private static func attempt(_ configuration: ServerConfiguration, _ parts: Parts) -> Attempt {
        let path = configuration.channelsFile
        let text: [UInt8]
        do throws(JSONFileError) { text = try ChannelsFile.read(path: path) } catch {
            return Attempt(text: nil, result: .failure(error))
        }
        do throws(JSONFileError) {
            let new = try ChannelsFile.parse(text, file: path)
            let summary = ServeSummary(configuration: configuration, channelsFile: new)
            let outcome = apply(new, to: parts)
            // For what looks at the database, and so at its settings.
            parts.changes.signal()
            return Attempt(
                text: text,
                result: .success(
                    Applied(outcome: outcome, ladder: LadderPolicy(new), missingSlates: summary.missingSlates)))
        } catch {
            return Attempt(text: text, result: .failure(error))
        }
    }

    /// Applies a file without mistakes to the channels and the title keys. Blocks.
    private static func apply(_ new: ChannelsFile, to parts: Parts) -> ChannelsReload {
        let old = parts.current.value
        let changes = parts.directory.reconfigure(new.channels)
        parts.titleKeys.setDefault(new.titleEncryption)
        parts.current.replace(with: new)
        return ChannelsReload(
            channels: changes,
            unchangedChannelCount: new.channels.count - changes.added.count - changes.changed.count,
            changesPresets: old.presets != new.presets, changesLadder: LadderPolicy(old) != LadderPolicy(new),
            changesEncryption: old.titleEncryption != new.titleEncryption)
    }

    private func log(_ outcome: ChannelsReload) {
        logger.info(
            "channels.json reloaded",
            metadata: [
                .addedChannels: "\(outcome.channels.added.joined(separator: ","))",
                .changedChannels: "\(outcome.channels.changed.joined(separator: ","))",
                .removedChannels: "\(outcome.channels.removed.joined(separator: ","))",
                .unchangedCount: "\(outcome.unchangedChannelCount)",
            ])
    }

    // MARK: Watching

    /// Reloads the file if it has changed since it was last loaded; the caller waits until an editor has finished
    /// writing. Mistakes are logged once, and change nothing.
    ///
    /// - Parameter text: the file's current bytes, which were the same twice in a row.
    func noteContent(_ text: [UInt8]) async {
        guard !isReloading, let known = seen, known != text else { return }
        seen = text
        logger.notice("channels.json changed; reloading it", metadata: [.file: "\(configuration.channelsFile)"])
        // The mistakes of the file have been logged.
        _ = try? await reload()
    }

    nonisolated var path: String { configuration.channelsFile }

    /// Drops removed channels that no player needs any longer. Blocks.
    nonisolated func dropRetiredChannels() { parts.directory.dropRetired() }
}

extension LadderPolicy {
    init(_ file: ChannelsFile) {
        self.init(presets: file.ladder, encoder: file.ladderEncoder)
    }
}
