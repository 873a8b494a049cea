import Foundation
import LibraryCore
import NIOCore
import Synchronization
import Testing

@testable import Gateway
@testable import HTTPClients

@Suite(.timeLimit(.minutes(1))) struct HostResolverTests {
    private let gate = DispatchSemaphore(value: 0)

    private func address() throws -> SocketAddress { try SocketAddress(ipAddress: "192.0.2.1", port: 80) }

    private func silentResolver(maximumThreadCount: Int, deadline: Duration = .milliseconds(20)) throws -> HostResolver
    {
        let address = try address()
        return HostResolver(maximumThreadCount: maximumThreadCount, deadline: deadline) { [gate] _, _ in
            gate.wait()
            gate.signal()
            return [address]
        }
    }

    @Test func whatTheNameServerAnswersIsPassedOn() async throws {
        let address = try address()
        let resolver = HostResolver { _, _ in [address] }
        #expect(try await resolver.addresses(of: "origin.test", port: 80) == [address])
        let failing = HostResolver { host, _ in throw ResolutionFailure(host: host, reason: "unknown") }
        await #expect(throws: ResolutionFailure(host: "origin.test", reason: "unknown")) {
            try await failing.addresses(of: "origin.test", port: 80)
        }
    }

    @Test func aSilentNameServerKeepsABoundedNumberOfThreadsAndNobodyLongerThanTheDeadline() async throws {
        let resolver = try silentResolver(maximumThreadCount: 2)
        for _ in 0..<2 {
            await #expect(throws: ResolutionFailure.self) { try await resolver.addresses(of: "silent.test", port: 80) }
        }
        #expect(resolver.busyThreadCount == 2)
        let refusal = await #expect(throws: LibraryError.self) {
            try await resolver.addresses(of: "silent.test", port: 80)
        }
        #expect(refusal?.code == .limitExceeded)
        #expect(refusal?.reason.contains("the name server does not answer, and 2 lookups are already waiting") == true)
        gate.signal()
        while resolver.busyThreadCount > 0 { await Task.yield() }
        #expect(try await resolver.addresses(of: "silent.test", port: 80).count == 1)
    }

    @Test func anImportThatIsCancelledDoesNotWaitForTheNameServer() async throws {
        let resolver = try silentResolver(maximumThreadCount: 1, deadline: .seconds(3_600))
        let lookup = Task { try await resolver.addresses(of: "silent.test", port: 80) }
        while resolver.busyThreadCount == 0 { await Task.yield() }
        lookup.cancel()
        await #expect(throws: CancellationError.self) { try await lookup.value }
        gate.signal()
    }
}
