import Foundation
import MediaWorker
import TestSupport
import Testing
import Transcoding

@testable import VODLibrary

struct LadderStoreTests {
    /// The chunks of earlier versions lie in a folder of another name.
    @Test func aLadderOfAnEarlierVersionGoesOnWithItsChunks() throws {
        let directory = try TemporaryDirectory(label: "ladder-store")
        let store = LadderStore(dataDirectory: directory.path)
        let folder = store.folder(titleID: "film", revision: "r1", key: "k")
        try directory.write("3", to: "ladders/film/r1-k/stretches/workers")
        try directory.write("media", to: "ladders/film/r1-k/stretches/a.low.mp4")
        #expect(try store.begin(folder, workerCount: 8) == 3)
        #expect(try bytesOfFile("\(folder.files.chunksPath)/a.low.mp4") == Array("media".utf8))
        #expect(try store.begin(folder, workerCount: 8) == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["chunks"])

        // Its description names no audio and no limit.
        try directory.write(
            """
            {"request": {"encoder": "libx264", "rungs": [], "omitted": []}, "movies": [{"rung": {"name": "low", "width": 96,
            "height": 54, "frameRate": 30, "bitRate": 60000}, "start": 0, "timescale": 90000}], "ending": "ready"}
            """, to: "ladders/film/r1-k/ladder.json")
        let manifest = try #require(store.manifest(in: folder))
        #expect(manifest.audio == nil && manifest.movies.map(\.rung.bandwidthLimit) == [nil])
        #expect(folder.files.chunkPath("0-1", manifest.movies[0].rung).hasSuffix("/0-1.low.mp4"))

        let new = store.folder(titleID: "film", revision: "r2", key: "k")
        #expect(try store.begin(new, workerCount: 8) == 8)
    }
}
