import Catalogue
import Database
import DatabaseTestSupport
import Foundation
import LibraryCore
import LibraryDetails
import Logging
import MediaCore
import MediaIntake
import MediaWorkerTestSupport
import NIOPosix
import Synchronization
import TestSupport

@testable import JobRunning
@testable import MediaWorker
@testable import VODLibrary

/// A library in a folder of its own, whose scans and jobs happen when the test says so.
final class LibraryFixture: Sendable {
    let folder: String
    let catalogue: RecordingCatalogue
    let worker: FakeWorker
    let library: VODLibrary
    let clock: TestClock
    private let ownsFolder: Bool

    /// - Parameters:
    ///   - folder: of a fixture before, to start again on what that left.
    ///   - realWorker: let the built program convert.
    ///   - clock: also measures durations, so that sleeping takes no time; if `nil`, real time passes, and the date is
    ///     an hour ahead.
    init(
        folder: String? = nil, worker: FakeWorker = FakeWorker(), realWorker: Bool = false,
        fetcher: (any RemoteImporting)? = nil, ladder: LadderPolicy = LadderPolicy(),
        files: LibraryFiles = LibraryFiles(), clock: TestClock? = nil
    ) throws {
        let path =
            folder ?? FileManager.default.temporaryDirectory.appending(path: "antena-library-\(UUID().uuidString)").path
        for name in ["media/vod", "media/audio", "data", "data/recordings"] {
            try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        }
        let catalogue = RecordingCatalogue(try Catalogue.open(TestDatabase.address(inFolder: "\(path)/data")))
        self.folder = path
        ownsFolder = folder == nil
        self.catalogue = catalogue
        self.worker = worker
        let date = clock ?? .anHourAhead()
        self.clock = date
        let running: any WorkerRunning =
            realWorker ? IngestWorkerProcess(executable: WorkerFixtures.executable) : worker
        library = try VODLibrary(
            configuration: VODLibraryConfiguration(
                mediaDirectory: "\(path)/media", dataDirectory: "\(path)/data",
                recordingsDirectory: "\(path)/data/recordings",
                workerExecutable: WorkerFixtures.executable, ladder: ladder),
            catalogue: catalogue, worker: running, fetcher: fetcher, files: files,
            clock: clock ?? ContinuousClock(), wallClock: date.wallClock,
            logger: Logger(label: "test") { _ in
                SwiftLogNoOpLogHandler()
            })
    }

    deinit { if ownsFolder { remove() } }

    /// Call it at the end of a test, which also keeps the fixture alive until then.
    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    func vod(_ name: String) -> String { "\(folder)/media/vod/\(name)" }
    func audio(_ name: String) -> String { "\(folder)/media/audio/\(name)" }

    @discardableResult
    func write(_ data: Data, to path: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try data.write(to: URL(filePath: path))
        return path
    }

    /// A look at both sections, and every job that follows from it.
    func settle() async throws {
        for section in LibrarySection.allCases { try await library.scanner.scan(section) }
        try await finishJobs()
    }

    func finishJobs() async throws {
        let runner = library.runner
        while await !runner.isEmpty {
            for lane in JobLane.allCases {
                while await runner.waitingCount(in: lane) > 0, let job = await runner.next(in: lane) {
                    try await runner.perform(job)
                }
            }
        }
    }

    func title(_ file: String) async throws -> TitleRecord? { try await catalogue.title(file: file) }
    func track(_ file: String) async throws -> AudioTrackRecord? { try await catalogue.track(file: file) }

    var dataFiles: [String] {
        DerivedFiles.Folder.allCases.flatMap { name in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/data/\(name.rawValue)")) ?? []).map {
                "\(name.rawValue)/\($0)"
            }
        }.sorted()
    }
}

/// A disk that stands still until it is released.
final class StillDisk: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let waiting = Mutex(0)

    /// Calls that wait for it.
    var waitingCount: Int { waiting.withLock { $0 } }

    func wait() {
        waiting.withLock { $0 += 1 }
        gate.wait()
        // Later callers do not wait either.
        gate.signal()
    }

    func goOn() { gate.signal() }
}

extension TestClock {
    /// A clock whose time of day is an hour ahead, so that every file is an old one.
    static func anHourAhead() -> TestClock { TestClock(WallClock.system.now() + .seconds(3_600)) }
}

/// Media that ffmpeg makes once for all tests.
enum SampleMedia {
    /// The first bytes of an image; workers of these tests decode nothing.
    static let jpegBeginning: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

    private static let made = Result {
        let fixtures = try WorkerFixtures()
        let movie = try fixtures.makeMedia(
            "a.mp4", seconds: 2, "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -movflags +faststart")
        let matroska = try fixtures.makeMedia("a.mkv", seconds: 1, "-c:v mpeg4 -c:a libmp3lame")
        let sound = try fixtures.makeMedia("a.m4a", seconds: 1, "-vn -c:a aac")
        return try [movie, matroska, sound].map { try Data(contentsOf: URL(filePath: $0)) }
    }

    /// H.264 and AAC, two seconds.
    static func movie() throws -> Data { try made.get()[0] }
    /// MPEG-4 part 2 and MP3.
    static func matroska() throws -> Data { try made.get()[1] }
    /// AAC in MP4.
    static func sound() throws -> Data { try made.get()[2] }
}

/// Does what it is told instead of starting a process: makes an MP4 from anything, unless a test overrides that.
final class FakeWorker: WorkerRunning {
    typealias Behaviour = @Sendable (WorkerRequest, @Sendable (Double) -> Void) async throws -> WorkerResult

    private let behaviour: Behaviour
    private let seen = Mutex<[WorkerRequest]>([])

    init(_ behaviour: @escaping Behaviour = { request, _ in try FakeWorker.succeed(request) }) {
        self.behaviour = behaviour
    }

    var requests: [WorkerRequest] { seen.withLock { $0 } }

    func run(_ request: WorkerRequest, onProgress: @escaping @Sendable (Double) -> Void) async throws -> WorkerResult {
        seen.withLock { $0.append(request) }
        return try await behaviour(request, onProgress)
    }

    /// A worker that stops at each frame for a poster: it yields to `started`, and goes on after `release` has yielded.
    static func pausingAtPosters() -> (
        worker: FakeWorker, started: AsyncStream<Void>, release: AsyncStream<Void>.Continuation
    ) {
        let (started, begin) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let worker = FakeWorker { request, _ in
            if case .poster = request.task {
                begin.yield()
                for await _ in released { break }
            }
            return try succeed(request)
        }
        return (worker, started, release)
    }

    static func succeed(
        _ request: WorkerRequest, tags: [String: String] = [:], hasCover: Bool = false
    ) throws -> WorkerResult {
        let description = MediaDescription(
            container: "matroska,webm", duration: 1,
            streams: [
                StreamDescription(index: 0, type: "audio", codec: "mp3", sampleRate: 48_000, channels: 1)
            ], tags: tags, hasCoverImage: hasCover)
        var cover: CoverType?
        switch request.task {
        case .probe, .ladder: break
        case .toMovie(let output), .toTranscodedMovie(let output), .slate(let output, _):
            try SampleMedia.movie().write(to: URL(filePath: output))
        case .toAudioMovie(let output):
            try SampleMedia.sound().write(to: URL(filePath: output))
        case .poster(let output, _):
            try Data("jpeg".utf8).write(to: URL(filePath: output))
        case .image(let work):
            for path in work.outputs { try Data("picture".utf8).write(to: URL(filePath: path)) }
        case .cover(let output):
            try Data("png".utf8).write(to: URL(filePath: output + ".png"))
            cover = .png
        }
        return WorkerResult(cover: cover, copiedStreams: 1, transcodedStreams: 1, description: description)
    }
}

/// Counts the requests to a catalogue, and reports each update.
final class RecordingCatalogue: CatalogueStore {
    private let base: Catalogue
    private let counters = Mutex((reads: 0, writes: 0, lists: 0))
    let updates: AsyncStream<TitleRecord>
    private let updated: AsyncStream<TitleRecord>.Continuation

    init(_ base: Catalogue) {
        self.base = base
        (updates, updated) = AsyncStream.makeStream()
    }

    var writeCount: Int { counters.withLock { $0.writes } }
    var listCount: Int { counters.withLock { $0.lists } }
    var readCount: Int { counters.withLock { $0.reads } }

    private func countRead() { counters.withLock { $0.reads += 1 } }
    private func countWrite() { counters.withLock { $0.writes += 1 } }
    private func countList() { counters.withLock { $0.lists += 1 } }

    func title(id: String) async throws -> TitleRecord? {
        countRead()
        return try await base.title(id: id)
    }
    func title(file: String) async throws -> TitleRecord? {
        countRead()
        return try await base.title(file: file)
    }
    func hasTitle(named name: String, besidesFile file: String) async throws -> Bool {
        try await base.hasTitle(named: name, besidesFile: file)
    }
    func hasTrack(named name: String, besidesFile file: String) async throws -> Bool {
        try await base.hasTrack(named: name, besidesFile: file)
    }
    func titles(matching query: String?, after cursor: String?, limit: Int) async throws -> ListPage<TitleRecord> {
        countList()
        return try await base.titles(matching: query, after: cursor, limit: limit)
    }
    func titles(after number: Int64) async throws -> RecordBatch<TitleRecord> {
        countList()
        return try await base.titles(after: number)
    }
    func add(_ title: TitleRecord, durability: SQLDurability) async throws -> TitleRecord {
        countWrite()
        return try await base.add(title, durability: durability)
    }
    func makeDurable() async throws { try await base.makeDurable() }
    func update(_ title: TitleRecord, from revision: String) async throws -> Bool {
        countWrite()
        defer { updated.yield(title) }
        return try await base.update(title, from: revision)
    }
    func deleteTitle(id: String) async throws {
        countWrite()
        try await base.deleteTitle(id: id)
    }
    func track(id: String) async throws -> AudioTrackRecord? {
        countRead()
        return try await base.track(id: id)
    }
    func track(file: String) async throws -> AudioTrackRecord? {
        countRead()
        return try await base.track(file: file)
    }
    func tracks(matching query: String?, after cursor: String?, limit: Int) async throws -> ListPage<AudioTrackRecord> {
        countList()
        return try await base.tracks(matching: query, after: cursor, limit: limit)
    }
    func tracks(after number: Int64) async throws -> RecordBatch<AudioTrackRecord> {
        countList()
        return try await base.tracks(after: number)
    }
    func add(_ track: AudioTrackRecord) async throws -> AudioTrackRecord {
        countWrite()
        return try await base.add(track)
    }
    func update(_ track: AudioTrackRecord, from revision: String) async throws -> Bool {
        countWrite()
        return try await base.update(track, from: revision)
    }
    func deleteTrack(id: String) async throws {
        countWrite()
        try await base.deleteTrack(id: id)
    }
    var lastJobNumber: Int64 { base.lastJobNumber }
    func job(number: Int64) async throws -> JobRecord? { try await base.job(number: number) }
    func jobs(matching query: String?, after cursor: String?, limit: Int) async throws -> ListPage<JobRecord> {
        try await base.jobs(matching: query, after: cursor, limit: limit)
    }
    func unfinishedJobs() async throws -> [JobRecord] { try await base.unfinishedJobs() }
    func write(_ jobs: [JobRecord], durability: SQLDurability) async throws {
        try await base.write(jobs, durability: durability)
    }
    func pruneJobs(keeping count: Int, endedAfter date: Date) async throws {
        try await base.pruneJobs(keeping: count, endedAfter: date)
    }
    func undigestedFiles(
        in section: String, after number: Int64, limit: Int
    ) async throws -> (files: [UndigestedFile], last: Int64) {
        try await base.undigestedFiles(in: section, after: number, limit: limit)
    }
    func write(_ digest: ContentDigest) async throws { try await base.write(digest) }
    func digests(like digest: ContentDigest) async throws -> [ContentDigest] {
        try await base.digests(like: digest)
    }
    func noteDuplicate(in section: String, _ id: String, of original: String?) async throws {
        try await base.noteDuplicate(in: section, id, of: original)
    }
    func removeDigest(in section: String, of id: String) async throws {
        try await base.removeDigest(in: section, of: id)
    }
    func moveTitle(id: String, from oldName: String, to file: MovedFile) async throws -> TitleRecord? {
        countWrite()
        return try await base.moveTitle(id: id, from: oldName, to: file)
    }
    func moveTrack(id: String, from oldName: String, to file: MovedFile) async throws -> AudioTrackRecord? {
        countWrite()
        return try await base.moveTrack(id: id, from: oldName, to: file)
    }
    func digest(in section: String, of id: String) async throws -> ContentDigest? {
        try await base.digest(in: section, of: id)
    }
    func changeImages(
        ofTitle id: String, revision: String?, if condition: @escaping RecordCondition<TitleRecord>,
        _ change: @escaping @Sendable (inout TitleImages) -> Void
    ) async throws -> (old: TitleRecord, new: TitleRecord)? {
        countWrite()
        let result = try await base.changeImages(ofTitle: id, revision: revision, if: condition, change)
        if let result { updated.yield(result.new) }
        return result
    }
    func changeCovers(
        ofTrack id: String, if condition: @escaping RecordCondition<AudioTrackRecord>,
        _ change: @escaping @Sendable (inout TrackCovers) -> Void
    ) async throws -> (old: AudioTrackRecord, new: AudioTrackRecord)? {
        countWrite()
        return try await base.changeCovers(ofTrack: id, if: condition, change)
    }
    func titlesWithoutStoryboard(after number: Int64, limit: Int) async throws -> (titles: [TitleRecord], last: Int64) {
        try await base.titlesWithoutStoryboard(after: number, limit: limit)
    }
    func titleDetails(id: String) async throws -> (record: TitleRecord, layers: DetailLayers)? {
        try await base.titleDetails(id: id)
    }
    func trackDetails(id: String) async throws -> (record: AudioTrackRecord, layers: DetailLayers)? {
        try await base.trackDetails(id: id)
    }
    func chooseDetails(
        ofTitle id: String, version: String?, _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> (record: TitleRecord, layers: DetailLayers)? {
        countWrite()
        return try await base.chooseDetails(ofTitle: id, version: version, change)
    }
    func chooseDetails(
        ofTrack id: String, version: String?, _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> (record: AudioTrackRecord, layers: DetailLayers)? {
        countWrite()
        return try await base.chooseDetails(ofTrack: id, version: version, change)
    }
    func note(_ notes: [ItemNotes], ofTitles: Bool) async throws -> Set<String> {
        countWrite()
        return try await base.note(notes, ofTitles: ofTitles)
    }
    func noteMarks(ofTitles: Bool) async throws -> [String: String] { try await base.noteMarks(ofTitles: ofTitles) }
    func counts() async throws -> (titles: Int, tracks: Int) { try await base.counts() }
}
