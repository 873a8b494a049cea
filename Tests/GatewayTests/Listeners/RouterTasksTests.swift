import GatewayTestSupport
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Gateway

/// Tasks that nobody attends to are bounded, however fast clients come and go.
struct RouterTasksTests {
    @Test func aTaskCountsUntilSomebodyAttendsToIt() throws {
        let tasks = RouterTasks(maximumCount: 2)
        let (first, second) = (try #require(tasks.begin()), try #require(tasks.begin()))
        #expect(tasks.begin() == nil && tasks.unattendedCount == 2)
        first.attend()
        #expect(tasks.unattendedCount == 1)
        let third = try #require(tasks.begin())
        #expect(tasks.begin() == nil)
        for task in [first, second, third] { task.end() }
        #expect(tasks.unattendedCount == 0)
    }

    @Test func aTaskWhoseClientHasGoneCountsUntilItsEnd() throws {
        let tasks = RouterTasks(maximumCount: 1)
        let task = try #require(tasks.begin())
        task.attend()
        task.abandon()
        task.abandon()
        #expect(tasks.unattendedCount == 1 && tasks.begin() == nil)
        task.attend()
        #expect(tasks.unattendedCount == 1, "nobody comes back")
        task.end()
        task.end()
        #expect(tasks.unattendedCount == 0)
    }

    @Test func aTaskThatIsNeverMadeIsForgotten() {
        let tasks = RouterTasks(maximumCount: 1)
        do { _ = tasks.begin() }
        #expect(tasks.unattendedCount == 0 && tasks.begin() != nil)
    }

    /// The client is told to come back.
    @Test(arguments: [true, false]) func aRequestWithoutATaskIsAnswered503(isStream: Bool) throws {
        let tasks = RouterTasks(maximumCount: 0)
        let embedded = EmbeddedChannel()
        let started = embedded.embeddedEventLoop.makePromise(of: RouterEntryHandler.Started.self)
        try embedded.pipeline.syncOperations.addHandler(
            RouterEntryHandler(started: started, isStream: isStream, tasks: tasks))
        try embedded.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 80)).wait()
        try embedded.writeInbound(
            HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/")))
        let head = try #require(try embedded.readOutbound(as: HTTPResponsePart.self))
        guard case .head(let response) = head else { return #expect(Bool(false), "\(head)") }
        #expect(response.status == .serviceUnavailable && response.headerFields[.retryAfter] == "1")
        #expect(response.headerFields[.connection] == (isStream ? nil : "close"))
        embedded.embeddedEventLoop.run()
        #expect(!embedded.isActive && tasks.unattendedCount == 0)
        #expect(throws: (any Error).self) { try started.futureResult.wait() }
    }
}
