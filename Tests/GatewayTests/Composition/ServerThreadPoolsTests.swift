import Foundation
import NIOPosix
import Testing
import VODLibrary

@testable import Gateway

@Suite(.timeLimit(.minutes(1))) struct ServerThreadPoolsTests {
    @Test func workOfOnePurposeKeepsNoOtherWaitingNorTheServersEnd() async throws {
        let pools = ServerThreadPools(coreCount: 1)
        let gate = DispatchSemaphore(value: 0)
        for pool in [pools.long, pools.uploads, pools.library, pools.muxing, pools.opening, pools.starting] {
            for _ in 0..<pool.numberOfThreads { pool.submit { _ in gate.wait() } }
        }
        #expect(try await pools.reading.runIfActive { 1 } == 1)
        let begin = ContinuousClock.now
        await pools.shutDown(within: .milliseconds(50))
        #expect(ContinuousClock.now - begin < .seconds(20))
        for _ in 0..<1_000 { gate.signal() }
    }

    @Test func onlyAServerWithAMediaStoreHasThreadsForIt() async throws {
        let pools = ServerThreadPools(coreCount: 1)
        #expect(pools.fetching == nil && pools.storing == nil)
        #expect(try await pools.libraryThreads.fetching.runIfActive { 1 } == 1)
        await pools.shutDown()
        let more = ServerThreadPools(coreCount: 1, hasMediaStore: true)
        #expect(try await more.fetching?.runIfActive { 1 } == 1)
        #expect(try await more.storing?.runIfActive { 1 } == 1)
        await more.shutDown()
        await #expect(throws: (any Error).self) { try await more.storing?.runIfActive { 1 } }
    }

    @Test func threadsAreNamedAfterTheirPurpose() async throws {
        let pools = ServerThreadPools(coreCount: 1)
        func name(_ pool: NIOThreadPool) async throws -> String {
            try await pool.runIfActive { try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8) }
        }
        #expect(try await name(pools.reading).hasPrefix("read-"))
        #expect(try await name(pools.library).hasPrefix("library-"))
        await pools.shutDown()
    }
}
