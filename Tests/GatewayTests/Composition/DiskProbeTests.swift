import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1))) struct DiskProbeTests {
    @Test func aDiskThatDoesNotAnswerIsAnObstacleAndAskedOnceOnly() async throws {
        let gate = DispatchSemaphore(value: 0)
        let checkCount = Mutex(0)
        let count = { checkCount.withLock { $0 } }
        let probe = DiskProbe(of: "the media folder", deadline: .milliseconds(20), validity: .zero) {
            checkCount.withLock { $0 += 1 }
            gate.wait()
            return nil
        }
        // Concurrent callers, and callers that arrive when the disk is known to be slow.
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { await probe.obstacle() } }
            for await obstacle in group {
                #expect(obstacle?.hasPrefix("the media folder has not answered for") == true)
            }
        }
        #expect(await probe.obstacle() != nil)
        #expect(count() == 1)
        // One signal for the waiting probe, the others for later probes.
        for _ in 0..<1_000 { gate.signal() }
        while await probe.obstacle() != nil { await Task.yield() }
    }

    @Test func anAnswerHoldsForAWhile() async {
        let checkCount = Mutex(0)
        let probe = DiskProbe(of: "the data folder", validity: .seconds(3_600)) {
            checkCount.withLock { $0 += 1 }
            return "Input/output error"
        }
        for _ in 0..<5 { #expect(await probe.obstacle() == "the data folder: Input/output error") }
        #expect(checkCount.withLock { $0 } == 1)
    }

    @Test func foldersThatAnswerAreNoObstacleNorAreMissingOnes() async throws {
        let folder = try TemporaryDirectory(label: "probe")
        try folder.write("film", to: "vod/film.mp4")
        _ = try folder.file("vod/folder/film.mp4")
        #expect(await DiskProbe.mediaFolder(folder.path, sections: ["vod", "audio"]).obstacle() == nil)
        #expect(await DiskProbe.mediaFolder("\(folder.path)/none", sections: ["vod"]).obstacle() == nil)
        #expect(await DiskProbe.dataFolder(folder.path).obstacle() == nil)
    }
}
