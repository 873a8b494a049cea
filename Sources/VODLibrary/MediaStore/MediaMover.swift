import Catalogue
import JobRunning
import LibraryCore
import LibraryStorage
import Logging
import LogMetadata
import MediaCore
import MediaStorage
import NIOPosix
import Packaging

/// Moves the library's files to the media store when nothing works on them any more, and brings them back on request.
///
/// A file is on this machine until the store has confirmed it, so that a store that is slow or away costs disk space
/// and nothing else. Everything is found again by comparing the records with the disk: a crash loses nothing.
actor MediaMover {
    private let stored: StoredFiles
    private let context: LibraryContext
    private let known: KnownRecords
    private let runner: JobRunner
    private let ladders: LadderStore
    private var destination = MediaStoreStatus.Destination.store
    /// The number of times that an operator has chosen a destination. A round that began before the last choice ends
    /// early and does not count.
    private var choiceCount = 0
    private var waitingCount: Int?
    private var moved: (count: Int, byteCount: Int64) = (0, 0)
    private var error: String?
    /// The last round that came to its end; `nil` if the next one is due at once.
    private var lastRound: Round?

    /// Interval at which is looked for work.
    static let interval = Duration.seconds(2)
    /// Interval of the rounds if all has been moved: posters and storyboards come after their titles.
    static let regularInterval = Duration.seconds(600)
    /// Interval of the rounds while there are files that could not be moved yet. A round of a large library takes
    /// longer, and so does the pause after it.
    static let repeatedInterval = Duration.seconds(5)
    private static let pauseFactor = 20
    /// The time in which a new title gets its images, for which the file is needed on this machine.
    static let imagePeriod = Duration.seconds(600)
    /// Number of files that are moved at the same time. Large ones are put in several parts at once.
    private static let concurrentCount = 4
    /// Delays after rounds in which the store did not answer.
    private static let firstDelay = Duration.seconds(5)
    private static let maximumDelay = Duration.seconds(300)

    private struct Round {
        var start: ContinuousClock.Instant
        var end: ContinuousClock.Instant
        /// The `readyCount`s of the sections at its beginning.
        var readyCounts: [LibrarySection: Int]
        /// True if it left nothing that has to be moved.
        var isComplete: Bool
    }

    init(
        stored: StoredFiles, context: LibraryContext, known: KnownRecords, runner: JobRunner, ladders: LadderStore
    ) {
        (self.stored, self.context, self.known, self.runner, self.ladders) = (stored, context, known, runner, ladders)
    }

    /// Moves files until the task is cancelled.
    func run() async {
        var delay = Self.firstDelay
        while !Task.isCancelled {
            var pause = Self.interval
            do {
                if isRoundDue { try await moveAll() }
                delay = Self.firstDelay
            } catch is CancellationError {
                return
            } catch {
                context.logger.warning(
                    "files could not be moved; will retry",
                    metadata: [.error: "\(error)", .seconds: "\(delay.components.seconds)"])
                self.error = "\(error)"
                pause = delay
                delay = min(delay * 2, Self.maximumDelay)
            }
            try? await context.clock.sleep(for: pause)
        }
    }

    var status: MediaStoreStatus {
        let total = stored.total
        return MediaStoreStatus(
            destination: destination, storedCount: total.count, storedByteCount: total.byteCount,
            waitingCount: waitingCount, movedCount: moved.count, movedByteCount: moved.byteCount, error: error)
    }

    /// Chooses where the files are to be, until the next start.
    func choose(_ destination: MediaStoreStatus.Destination) {
        self.destination = destination
        choiceCount += 1
        (waitingCount, moved, error) = (nil, (0, 0), nil)
        lastRound = nil
    }

    // MARK: Rounds

    private var readyCounts: [LibrarySection: Int] {
        Dictionary(uniqueKeysWithValues: LibrarySection.allCases.map { ($0, known.readyCount(in: $0)) })
    }

    private var isRoundDue: Bool {
        guard let lastRound, lastRound.readyCounts == readyCounts else { return true }
        let pause = (lastRound.end - lastRound.start) * Self.pauseFactor
        let interval = lastRound.isComplete ? Self.regularInterval : max(Self.repeatedInterval, pause)
        return ContinuousClock.now - lastRound.end >= interval
    }

    /// Moves what can be moved now. A file that cannot be moved keeps no other from it.
    ///
    /// - Throws: the error of a store or database that does not answer.
    func moveAll() async throws {
        let (start, readyCounts) = (ContinuousClock.now, readyCounts)
        let (destination, choice) = (destination, choiceCount)
        try await stored.deleteDropped()
        let (paths, isComplete) = try await waitingFiles(for: destination)
        guard choice == choiceCount else { return }
        waitingCount = paths.count
        let hasFailed = try await moveAll(paths, to: destination)
        guard choice == choiceCount else { return }
        if !hasFailed { error = nil }
        lastRound = Round(start: start, end: .now, readyCounts: readyCounts, isComplete: isComplete && !hasFailed)
    }

    /// - Returns: whether a file could not be moved.
    private func moveAll(_ paths: [String], to destination: MediaStoreStatus.Destination) async throws -> Bool {
        var hasFailed = false
        let choice = choiceCount
        try await withThrowingTaskGroup(of: StoredFiles.Moving.self) { group in
            var rest = paths[...]
            func begin() {
                guard let path = rest.popFirst() else { return }
                group.addTask { try await self.move(path, to: destination) }
            }
            for _ in 0..<Self.concurrentCount { begin() }
            while let result = await group.nextResult() {
                switch result {
                case .success(let moving): note(moving)
                case .failure(let error) where Self.concernsOneFile(error):
                    hasFailed = true
                    self.error = "\(error)"
                    context.logger.warning("file could not be moved; will retry", metadata: [.error: "\(error)"])
                case .failure(let error): throw error
                }
                guard choice == choiceCount else { continue }
                begin()
            }
        }
        return hasFailed
    }

    /// Returns whether other files can be moved although this one cannot.
    private static func concernsOneFile(_ error: any Error) -> Bool {
        if let error = error as? StoredFilesError { return error.code != .diskFull }
        guard let code = (error as? MediaStorageError)?.code else { return false }
        return [.localFile, .invalidRequest, .changed, .corrupted].contains(code)
    }

    private func move(
        _ path: String, to destination: MediaStoreStatus.Destination
    ) async throws -> StoredFiles.Moving {
        let moving =
            switch destination {
            case .store: try await stored.moveToStore(path)
            case .folder: try await stored.bringBack(path)
            }
        // Viewers keep the file that they have open; the others get the one that is there now.
        await context.cache.remove(path: path)
        return moving
    }

    private func note(_ moving: StoredFiles.Moving) {
        waitingCount = waitingCount.map { max(0, $0 - 1) }
        guard case .moved(let byteCount) = moving else { return }
        moved.count += 1
        moved.byteCount += byteCount
    }

    // MARK: What is to be moved

    /// The paths of the files that can be moved now, and whether those are all that will have to be moved.
    private func waitingFiles(
        for destination: MediaStoreStatus.Destination
    ) async throws -> (paths: [String], isComplete: Bool) {
        if destination == .folder { return (stored.paths.sorted(), true) }
        var paths: [String] = []
        var isComplete = true
        let (ladders, threadPool) = (ladders, context.threadPool)
        try await context.catalogue.forEachBatchOfTitles { batch in
            let movable = try await movable(batch, in: .titles)
            paths += try await threadPool.runIfActive {
                movable.records.flatMap { $0.localFiles(ladders: ladders) }
            }
            isComplete = isComplete && movable.isComplete
        }
        try await context.catalogue.forEachBatchOfTracks { batch in
            let movable = try await movable(batch, in: .tracks)
            paths += try await threadPool.runIfActive { movable.records.flatMap(\.localFiles) }
            isComplete = isComplete && movable.isComplete
        }
        return (paths, isComplete)
    }

    /// The records whose files nothing works on, and whether those are all.
    private func movable<Record: MovableRecord>(
        _ records: [Record], in section: LibrarySection
    ) async throws -> (records: [Record], isComplete: Bool) {
        let busy = await runner.busyIDs(in: section)
        let now = context.wallClock.now()
        var movable: [Record] = []
        for record in records where record.state == .ready {
            if busy.contains(record.id) || record.awaitsImages(now: now) { continue }
            // Its content is compared with that of other files first.
            if stored.file(at: record.sourcePath) == nil {
                let digest = try await context.catalogue.digest(in: section.rawValue, of: record.id)
                guard digest?.revision == record.revision else { continue }
            }
            movable.append(record)
        }
        return (movable, movable.count == records.count { $0.state == .ready })
    }
}
