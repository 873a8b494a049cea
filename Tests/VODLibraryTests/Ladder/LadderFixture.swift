import Foundation
import ISOBMFF
import LibAV
import LibraryCore
import MediaCore
import MediaWorker
import MediaWorkerTestSupport
import Packaging
import Transcoding

@testable import VODLibrary

/// A title and its ladder, made by workers in the same way as in the library.
struct LadderFixture {
    let files: WorkerFixtures
    let path: String
    let folder: LadderStore.Folder
    let rungs: [LadderRung]

    static let workerCount = 2

    static let defaultRungs = [
        LadderRung(name: "b", width: 160, height: 90, frameRate: 30, bitRate: 150_000),
        LadderRung(name: "a", width: 96, height: 54, frameRate: 30, bitRate: 60_000),
    ]

    /// - Parameter arguments: for ffmpeg, of the video; ends with the codec's.
    init(
        _ arguments: String, seconds: Int = 50, name: String = "film.mp4", rungs: [LadderRung] = Self.defaultRungs
    ) throws {
        let files = try WorkerFixtures()
        let path = try files.makeMedia(name, seconds: seconds, arguments)
        try self.init(files, path, rungs: rungs)
    }

    /// - Parameter make: writes the film.
    init(rungs: [LadderRung], make: (_ path: String) throws -> Void) throws {
        let files = try WorkerFixtures()
        try make(files.path("film.mp4"))
        try self.init(files, files.path("film.mp4"), rungs: rungs)
    }

    private init(_ files: WorkerFixtures, _ path: String, rungs: [LadderRung]) throws {
        self.files = files
        self.path = path
        self.rungs = rungs
        folder = LadderStore(dataDirectory: files.path("data")).folder(titleID: "film", revision: "1", key: "2")
        try FileManager.default.createDirectory(atPath: folder.files.chunksPath, withIntermediateDirectories: true)
    }

    func title() throws -> PackagedTitle {
        let file = try MediaFile(path: path)
        return try PackagedTitle(index: MovieIndex.read(from: file), file: file)
    }

    func plan() throws -> LadderPlan {
        guard let video = try title().video else { throw LibraryError(.notMedia, "no video") }
        return try LadderPlan(video, workerCount: Self.workerCount)
    }

    func work(_ step: LadderWork.Step) async throws -> WorkerResult {
        let work = LadderWork(step: step, folder: folder.path, rungs: rungs, workerCount: Self.workerCount)
        return try await files.work(.ladder(work), on: path)
    }

    func encode(_ number: Int, encoder: String = "libx264", threadCount: Int = 1) async throws {
        let part = try plan().parts[number].name
        _ = try await work(.encode(part: part, encoder: encoder, threadCount: threadCount))
    }

    /// All of it.
    ///
    /// - Parameter audio: the audio to encode; see `LadderRequest.audio`.
    /// - Returns: the manifest.
    func make(encoder: String = "libx264", audio: [[String]]? = nil) async throws -> LadderManifest {
        let plan = try plan()
        for part in plan.parts { try await encode(part.number, encoder: encoder) }
        var movies: [LadderManifest.Movie] = []
        for index in rungs.indices {
            let result = try await work(.join(rung: index))
            movies.append(
                LadderManifest.Movie(
                    rung: rungs[index], start: result.firstTime ?? -1, timescale: UInt32(plan.timescale)))
        }
        let source = LadderSelection.Source(
            size: ShownSize(width: 1, height: 1), frameRate: nil, bitRate: 0, isOffered: true)
        var request = LadderRequest(encoder: encoder, selection: LadderSelection([], for: source))
        request.rungs = rungs
        request.audio = audio
        var manifest = LadderManifest(request: request, movies: movies)
        for (number, names) in (audio ?? []).enumerated() {
            let result = try await work(.audio(number: number, source: names[0]))
            manifest.audio =
                (manifest.audio ?? []) + [
                    LadderManifest.Audio(replaced: names, delay: result.firstTime ?? .max)
                ]
        }
        return manifest
    }

    /// Presentation times of a file's frames, in seconds, sorted.
    func times(_ path: String, keyFrames: Bool = false) throws -> [Double] {
        try files.probe(path, "-select_streams v -show_entries packet=pts_time,flags -of csv=p=0")
            .split(separator: "\n").compactMap { line in
                let fields = line.split(separator: ",")
                guard fields.count > 1, !keyFrames || fields[1].hasPrefix("K") else { return nil }
                return Double(fields[0])
            }.sorted()
    }
}
