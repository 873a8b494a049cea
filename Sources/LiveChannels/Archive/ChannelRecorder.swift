import Foundation
import Logging
import LogMetadata
import MediaCore
import NIOCore
import Packaging
import Synchronization

/// Writes one channel's archive: into a file for the time shift, or into a recording, which serves the time shift as
/// well.
///
/// `@unchecked Sendable`: everything except mutexes, atomics and constants is used on the writer's queue only.
final class ChannelRecorder: @unchecked Sendable {
    let status = Mutex(RecordingStatus())
    /// True if a recording needs the channel's segments; the time shift is not considered.
    let wantsSegments = Atomic<Bool>(false)

    /// The last problem, for the channel's list of errors; `nil` once it has been taken.
    let problem = Mutex<String?>(nil)

    private let writer: ArchiveWriter
    private var policy: ArchivePolicy
    private var folder: RecordingFolder
    /// The folder of the channel's recordings.
    let recordingsPath: String
    /// The folder for the time shift.
    let windowFolder: WindowFolder
    private let logger: Logger
    /// Identifier of the push or slate that is shown; `nil` if there is neither.
    private(set) var epoch: String?
    private var isSlate = false
    /// The renditions of the epoch, in the order of a file's tracks.
    private var renditions: [RenditionID] = []
    private var sections: [SectionKey: ByteBuffer] = [:]
    /// Segments whose companions in the other tracks have not arrived yet, keyed by media sequence number.
    private var rows: [Int: [RenditionID: AcceptedSegment]] = [:]
    private var file: OpenFile?
    private var fileCount = 0
    private var isRecording = false
    /// True if somebody has stopped a recording of a channel that is always recorded.
    private var isSuspended = false
    /// True if the recording was started because every push is recorded, rather than on request.
    private var isRecordingByPolicy = false
    /// The end of the last push; `nil` while a push is running, and when nothing waits for the next.
    private var pausedSince: WallClockTime?
    private var failedAt: WallClockTime?
    /// True if the failure has been reported in the log already.
    private var isFailing = false
    private var limitsEnforcedAt = WallClockTime.unixEpoch

    private struct SectionKey: Hashable {
        var epoch: String
        var rendition: RenditionID
        var number: Int
    }

    private struct OpenFile {
        var writer: ArchiveMovieWriter
        /// The initialization sections with which all of the file's fragments are written.
        var sections: [ByteBuffer]
        /// The name of the recording that the file is; `nil` for a file that only the time shift needs.
        var recordingName: String?
        /// `nil` if the channel has no time shift, or if the journal cannot be written.
        var journal: ArchiveJournalFile?
    }

    /// A publisher that is away for longer has ended the recording; what it sends afterwards becomes another recording.
    static let maximumPause = Duration.seconds(60)
    /// Duration of a time-shift file. Files are deleted as a whole, so this is how much more than the window is kept.
    static let windowFileDuration = Duration.seconds(600)
    /// Maximum duration of a recording; it continues in another one. A title's index is in memory while it is watched,
    /// and a channel may be recorded for years.
    static let maximumRecordingDuration = Duration.seconds(6 * 3_600)
    /// The fraction (1/N) of a limit in bytes that a single recording takes at most, so that making room never deletes
    /// everything.
    static let recordingsPerLimit: Int64 = 4
    /// The time after which a channel that is always recorded tries again: there may be room by then.
    static let retryDelay = Duration.seconds(60)
    private static let limitsInterval = Duration.seconds(60)
    /// Limit on incomplete rows. Follower tracks are at most two segments late.
    private static let maximumOpenRowCount = 8

    init(configuration: ChannelConfiguration, writer: ArchiveWriter) {
        self.writer = writer
        policy = configuration.archive
        folder = RecordingFolder(
            directory: writer.recordingsDirectory, channel: configuration.name, title: configuration.title)
        recordingsPath = folder.path
        windowFolder = WindowFolder(path: "\(writer.directory)/\(configuration.name)", queue: writer.queue)
        var logger = writer.logger
        logger[.channelName] = "\(configuration.name)"
        self.logger = logger
    }

    // MARK: What `channels.json` says

    /// Applies another policy or title. A running push is recorded, or no longer recorded, at once; a recording that
    /// was started on request continues.
    func reconfigure(_ configuration: ChannelConfiguration) {
        let old = policy
        policy = configuration.archive
        folder = RecordingFolder(
            directory: writer.recordingsDirectory, channel: configuration.name, title: configuration.title)
        limitsEnforcedAt = .unixEpoch
        if !policy.recordsAlways {
            isSuspended = false
            if isRecording, isRecordingByPolicy {
                endRecording(.idle, reason: "channels.json no longer asks for recordings")
            }
        } else if !old.recordsAlways, epoch != nil, !isSlate, !isSuspended {
            startRecordingByPolicy()
        }
        if policy.windowSeconds == 0, !isRecording { closeFile() }
    }

    /// Finishes what is open, because the channel has been removed or is about to be discarded.
    func retire(reason: String) {
        failedAt = nil
        pausedSince = nil
        if isRecording { endRecording(.idle, reason: reason) }
        closeFile()
    }

    // MARK: What the channel publishes

    /// Handles a message. Runs on the writer's queue.
    func take(_ message: RecorderInbox.Message) {
        switch message {
        case .begin(let epoch): begin(epoch: epoch.identifier, renditions: epoch.renditions, isSlate: epoch.isSlate)
        case .register(let section, let id, let epoch, let number):
            register(section, of: id, epoch: epoch, number: number)
        case .segment(let accepted):
            append(accepted)
            if let byteCount = accepted.reservedByteCount { writer.release(byteCount: byteCount) }
        case .end(let epoch, let now): end(epoch: epoch, now: now)
        }
    }

    /// Catches up after messages were dropped because the disk stood still for too long.
    ///
    /// - Parameter current: the push that is shown now; `nil` if there is none.
    func catchUp(with current: RecordedEpoch?) {
        guard let current else {
            if let epoch { end(epoch: epoch, now: writer.clock.now()) }
            return
        }
        if current.identifier != epoch {
            begin(epoch: current.identifier, renditions: current.renditions, isSlate: current.isSlate)
        }
        for (id, section) in current.sections {
            register(section.bytes, of: id, epoch: current.identifier, number: section.number)
        }
    }

    private func begin(epoch: String, renditions: Set<RenditionID>, isSlate: Bool) {
        discardRows()
        sections = sections.filter { $0.key.epoch == epoch }
        self.epoch = epoch
        self.renditions = renditions.sorted()
        self.isSlate = isSlate
        guard !isSlate else { return }
        pausedSince = nil
        if policy.recordsAlways, !isSuspended { startRecordingByPolicy() }
    }

    private func register(_ section: ByteBuffer, of id: RenditionID, epoch: String, number: Int) {
        sections[SectionKey(epoch: epoch, rendition: id, number: number)] = section
        // Only incomplete rows need older sections of the epoch.
        sections[SectionKey(epoch: epoch, rendition: id, number: number - Self.maximumOpenRowCount)] = nil
    }

    private func append(_ accepted: AcceptedSegment) {
        let segment = accepted.segment
        guard segment.epoch == epoch, renditions.contains(accepted.rendition) else {
            return accepted.placement.resolve(nil)
        }
        rows[segment.mediaSequence, default: [:]][accepted.rendition] = accepted
        guard let row = rows[segment.mediaSequence], row.count == renditions.count else {
            if rows.count > Self.maximumOpenRowCount { discardRows() }
            return
        }
        // Older rows will never be complete: they began before anybody needed the segments.
        discardRows { $0 < segment.mediaSequence }
        rows[segment.mediaSequence] = nil
        write(renditions.compactMap { row[$0] })
    }

    /// - Parameter now: the current time.
    private func end(epoch: String, now: WallClockTime) {
        guard epoch == self.epoch else { return }
        discardRows()
        self.epoch = nil
        if !isSlate { pausedSince = now }
    }

    private func discardRows(_ isMeant: (Int) -> Bool = { _ in true }) {
        for (number, row) in rows where isMeant(number) {
            for accepted in row.values { accepted.placement.resolve(nil) }
            rows[number] = nil
        }
    }

    // MARK: Writing

    /// - Parameter row: one segment for each rendition.
    private func write(_ row: [AcceptedSegment]) {
        // A slate is not part of a recording, which waits for the publisher with its file open.
        let isWanted = isRecording ? !isSlate : policy.windowSeconds > 0
        guard isWanted, let sections = sections(for: row) else { return discard(row) }
        do {
            let file = try file(for: sections, startingAt: row.first?.segment.programDateTime ?? writer.clock.now())
            let stored = try file.writer.append(
                row.map { $0.reservedByteCount == nil ? nil : ArchivableSegment($0.segment) })
            for (accepted, stored) in zip(row, stored) { accepted.placement.resolve(stored) }
            isFailing = false
            noteProgress(of: file)
            note(row, at: stored, in: file)
        } catch {
            discard(row)
            fail(error)
        }
    }

    /// Records the row in the journal, so that the next server finds its segments.
    private func note(_ row: [AcceptedSegment], at stored: [StoredSegment?], in file: OpenFile) {
        guard let journal = file.journal, let first = row.first else { return }
        let entries = zip(row, stored).map { accepted, stored in
            let isGap = accepted.segment.isGap
            return (stored?.place ?? (isGap ? StoredSegment.Place(ofGap: accepted.segment.duration) : nil)).map {
                ArchiveJournal.Entry(accepted.segment, at: $0)
            }
        }
        do {
            try journal.append(
                ArchiveJournal.Row(
                    epoch: first.segment.epoch, mediaSequence: first.segment.mediaSequence,
                    first: row.reduce(FirstMediaSequences()) { $0.later($1.first) },
                    // The leading rendition's, which came first: a stand-in for video follows the audio.
                    discontinuityCount: row.map(\.discontinuityCount).min() ?? first.discontinuityCount,
                    entries: entries))
        } catch {
            // An incomplete line would end what can be read.
            self.file?.journal = nil
            reportJournal(error)
        }
    }

    private func makeJournal(stem: String, recordingName: String?, sections: [ByteBuffer]) -> ArchiveJournalFile? {
        guard policy.windowSeconds > 0 else { return nil }
        do {
            try windowFolder.make()
            return try ArchiveJournalFile(
                path: windowFolder.journalPath(stem: stem),
                header: ArchiveJournal(
                    recordingName: recordingName, tracks: zip(renditions, sections).map(ArchiveJournal.Track.init)))
        } catch {
            reportJournal(error)
            return nil
        }
    }

    private func reportJournal(_ error: any Error) {
        logger.warning(
            "archive journal cannot be written; the current time shift is lost after a restart",
            metadata: [.error: "\(FileErrorText(error))"])
    }

    private func discard(_ row: [AcceptedSegment]) {
        for accepted in row { accepted.placement.resolve(nil) }
    }

    private func sections(for row: [AcceptedSegment]) -> [ByteBuffer]? {
        let found = row.compactMap { accepted in
            sections[
                SectionKey(
                    epoch: accepted.segment.epoch, rendition: accepted.rendition,
                    number: accepted.segment.initializationNumber)]
        }
        return found.count == row.count ? found : nil
    }

    /// The open file, or a new one if that is full or has other parameters.
    private func file(for sections: [ByteBuffer], startingAt date: WallClockTime) throws -> OpenFile {
        if let file, file.sections == sections, !isFull(file) { return file }
        closeFile()
        let new = isRecording ? try makeRecording(sections, startingAt: date) : try makeWindowFile(sections)
        file = new
        return new
    }

    private func isFull(_ file: OpenFile) -> Bool {
        guard file.recordingName != nil else { return file.writer.duration.seconds >= Self.windowFileDuration.seconds }
        let limit = policy.recordingLimits.maximumByteCount.map { $0 / Self.recordingsPerLimit } ?? .max
        return file.writer.duration.seconds >= Self.maximumRecordingDuration.seconds || file.writer.byteCount >= limit
    }

    private func makeWindowFile(_ sections: [ByteBuffer]) throws -> OpenFile {
        fileCount += 1
        try windowFolder.make()
        let stem = "\(writer.clock.now().millisecondsSince1970)-\(fileCount)"
        let movie = try ArchiveMovieWriter(
            path: windowFolder.moviePath(stem: stem), sections: sections, storage: writer.storage,
            onRelease: windowFolder.disposal(ofStem: stem, isRecording: false))
        return OpenFile(
            writer: movie, sections: sections,
            journal: makeJournal(stem: stem, recordingName: nil, sections: sections))
    }

    private func makeRecording(_ sections: [ByteBuffer], startingAt date: WallClockTime) throws -> OpenFile {
        let (name, title) = try folder.begin(at: date)
        let movie = try ArchiveMovieWriter(
            path: "\(folder.path)/\(name)\(RecordingFolder.unfinishedSuffix)",
            sections: sections, title: title, storage: writer.storage,
            onRelease: windowFolder.disposal(ofStem: name, isRecording: true))
        status.withLock { status in
            status.since = Date(date)
            status.file = "\(RecordingFolder.libraryPrefix)\(folder.channel)/\(name)"
        }
        tell(.recordingStarted(file: "\(RecordingFolder.libraryPrefix)\(folder.channel)/\(name)"))
        logger.info("recording started", metadata: [.recordingFile: "\(name)"])
        return OpenFile(
            writer: movie, sections: sections, recordingName: name,
            journal: makeJournal(stem: name, recordingName: name, sections: sections))
    }

    private func tell(_ kind: LiveChannelEvent.Kind) {
        writer.observer?(
            LiveChannelEvent(channel: folder.channel, kind: kind, happenedAt: writer.clock.now()))
    }

    private func noteProgress(of file: OpenFile) {
        guard file.recordingName != nil else { return }
        status.withLock { status in
            status.bytes = file.writer.byteCount
            status.duration = file.writer.duration.seconds
        }
    }

    /// Closes the open file. A recording becomes a title.
    private func closeFile() {
        guard let file else { return }
        self.file = nil
        guard let name = file.recordingName else { return }
        do {
            defer { enforceLimits(now: writer.clock.now()) }
            try file.writer.synchronize()
            try folder.finish(name)
            tell(.recordingFinished(file: "\(RecordingFolder.libraryPrefix)\(folder.channel)/\(name)"))
            logger.info(
                "recording finished",
                metadata: [.recordingFile: "\(name)", .seconds: "\(file.writer.duration.seconds.rounded())"])
        } catch {
            logger.warning(
                "recording cannot be finished",
                metadata: [.recordingFile: "\(name)", .error: "\(FileErrorText(error))"])
        }
    }

    private func fail(_ error: any Error) {
        // The reason is without the path, because statuses are public.
        let reason =
            (error as? MediaFileError).map { FileErrorText.text($0.errno) } ?? "\(FileErrorText(error))"
        if !isFailing {
            logger.warning("archive cannot be written", metadata: [.error: "\(FileErrorText(error))"])
            problem.withLock { $0 = "time shift and recording cannot be written: \(reason)" }
        }
        isFailing = true
        guard isRecording else { return }
        failedAt = writer.clock.now()
        endRecording(.failed, reason: "the recording cannot be written: \(reason)")
    }

    // MARK: Recording

    /// Announces that segments finished from now on are needed. Callable from any thread.
    func announceRecording() {
        status.withLock { status in
            if status.state != .recording { status = RecordingStatus(beganAt: writer.clock.now()) }
        }
        wantsSegments.store(true, ordering: .relaxed)
    }

    func startRecording() {
        isSuspended = false
        failedAt = nil
        isRecordingByPolicy = false
        guard !isRecording else { return }
        // A recording is a file of its own, from its first segment to its last.
        closeFile()
        isRecording = true
        if epoch == nil, pausedSince == nil { pausedSince = writer.clock.now() }
        status.withLock { $0 = RecordingStatus(beganAt: writer.clock.now()) }
        updateWants()
    }

    private func startRecordingByPolicy() {
        guard !isRecording else { return }
        startRecording()
        isRecordingByPolicy = true
    }

    func stopRecording() {
        isSuspended = policy.recordsAlways
        failedAt = nil
        if isRecording { endRecording(.idle, reason: nil) }
    }

    private func endRecording(_ state: RecordingStatus.State, reason: String?) {
        isRecording = false
        closeFile()
        status.withLock { status in
            status.state = state
            status.reason = reason
        }
        updateWants()
    }

    private func updateWants() { wantsSegments.store(isRecording, ordering: .relaxed) }

    // MARK: Time passes

    func maintain() {
        let now = writer.clock.now()
        do {
            try file?.writer.synchronize()
        } catch {
            fail(error)
        }
        endRecordingIfDiskIsFull()
        if let since = pausedSince, now - since >= Self.maximumPause {
            pausedSince = nil
            if isRecording { endRecording(.idle, reason: "nobody has pushed for a minute") }
            closeFile()
        }
        if policy.recordsAlways, epoch != nil, let failed = failedAt, now - failed >= Self.retryDelay, hasRoom {
            startRecordingByPolicy()
        }
        if now - limitsEnforcedAt >= Self.limitsInterval { enforceLimits(now: now) }
    }

    private var hasRoom: Bool {
        writer.storage.freeByteCount(writer.recordingsDirectory).map { $0 >= DiskFile.reservedByteCount } ?? true
    }

    /// Ends a recording before the disk is full: recordings may be waiting to be moved to the media store.
    private func endRecordingIfDiskIsFull() {
        guard isRecording, !hasRoom else { return }
        let reason = "the disk is nearly full: \(DiskFile.reservedByteCount >> 20) MiB are kept free"
        logger.warning("recording ended", metadata: [.reason: "\(reason)"])
        problem.withLock { $0 = "the recording ended: \(reason)" }
        failedAt = writer.clock.now()
        endRecording(.failed, reason: reason)
    }

    private func enforceLimits(now: WallClockTime) {
        limitsEnforcedAt = now
        let running = file.flatMap { $0.recordingName == nil ? nil : $0.writer.byteCount } ?? 0
        let deleted = folder.enforce(policy.recordingLimits, runningByteCount: running, now: now)
        for name in deleted { logger.info("old recording deleted", metadata: [.recordingFile: "\(name)"]) }
    }

    func close() {
        windowFolder.keepAll()
        if isRecording { endRecording(.idle, reason: "the server was shut down") }
        closeFile()
    }
}

extension RecordingStatus {
    fileprivate init(beganAt now: WallClockTime) {
        self.init()
        state = .recording
        since = Date(now)
    }
}
