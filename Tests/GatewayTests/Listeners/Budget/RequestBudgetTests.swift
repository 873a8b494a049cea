import GatewayTestSupport
import HTTPTypes
import MediaCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import Gateway

struct RequestBudgetTests {
    private final class Time: Sendable {
        let now = Mutex(NIODeadline.uptimeNanoseconds(10_000_000_000))
        func advance(_ amount: TimeAmount) { now.withLock { $0 = $0 + amount } }
    }

    private final class Closed: Sendable {
        let names = Mutex<[String]>([])
    }

    private let time = Time()
    private let closed = Closed()

    private func budget(_ limits: RequestBudget.Limits) -> RequestBudget {
        RequestBudget(limits: limits) { [time] in time.now.withLock { $0 } }
    }

    private func account(_ name: String, _ budget: RequestBudget, at address: String = "192.0.2.1") throws
        -> RequestAccount
    {
        budget.account(of: AddressGroup(try SocketAddress(ipAddress: address, port: 1))) { [closed] in
            closed.names.withLock { $0.append(name) }
        }
    }

    private var closedNames: [String] { closed.names.withLock { $0 } }

    @Test func theConnectionLeavesThatHasNotGotOnForTheLongestTime() throws {
        let budget = budget(
            .init(byteCount: 1_000, addressByteCount: 10_000, connectionByteCount: 900, smallByteCount: 100))
        let (first, second, third) = (
            try account("first", budget), try account("second", budget), try account("third", budget)
        )
        #expect(first.take(400) && second.take(400))
        #expect(!third.take(400), "nobody has had time to get on")
        time.advance(.seconds(1))
        // The first one takes what it has asked for, and asks again.
        first.give(350, isProgress: true)
        #expect(first.take(350))
        #expect(third.take(400))
        #expect(closedNames == ["second"] && budget.byteCount == 800 && budget.closedCount == 1)
        // What has left gives nothing back twice.
        second.give(400)
        #expect(budget.byteCount == 800)
    }

    /// One small request now and then does not protect what lies.
    @Test func aSmallAnswerIsNoProgressForAConnectionThatHoldsMuch() throws {
        let budget = budget(
            .init(byteCount: 1_000, addressByteCount: 10_000, connectionByteCount: 900, smallByteCount: 100))
        let (idle, busy) = (try account("idle", budget), try account("busy", budget))
        #expect(idle.take(600))
        time.advance(.milliseconds(100))
        #expect(busy.take(200))
        time.advance(.seconds(1))
        #expect(idle.take(50))
        idle.give(50, isProgress: true)
        let third = try account("third", budget)
        #expect(third.take(300) && closedNames == ["idle"])
    }

    /// A page is shown to somebody while others, who all get on, ask for more than there is room for.
    @Test func whoHoldsMuchLeavesForWhoHoldsLittle() throws {
        let budget = budget(
            .init(byteCount: 1_000, addressByteCount: 10_000, connectionByteCount: 900, smallByteCount: 100))
        let (small, first, second) = (
            try account("small", budget), try account("first", budget), try account("second", budget)
        )
        #expect(small.take(100) && first.take(450) && second.take(450))
        let (large, page) = (try account("large", budget), try account("page", budget))
        #expect(!large.take(101) && closedNames.isEmpty)
        #expect(page.take(100) && closedNames == ["first"] && budget.byteCount == 650)
    }

    /// A client that comes again and again has always just got on.
    @Test func answersNeverTakeMoreThanThereIs() throws {
        let budget = budget(
            .init(byteCount: 1_000, addressByteCount: 10_000, connectionByteCount: 900, smallByteCount: 100))
        let accounts = try (0..<10).map { try account("\($0)", budget) }
        for account in accounts {
            account.add(400)
            #expect(budget.byteCount <= 1_000)
        }
        #expect(closedNames == (0..<8).map { "\($0)" })
    }

    @Test func limitsHoldForAConnectionAnAddressAndAll() throws {
        let budget = budget(.init(byteCount: 1_000, addressByteCount: 600, connectionByteCount: 400))
        let (one, two) = (try account("one", budget), try account("two", budget))
        #expect(!one.take(401) && one.take(400))
        #expect(!two.take(201) && two.take(200))
        let other = try account("other", budget, at: "192.0.2.2")
        #expect(other.take(400) && !other.take(1))
        // Behind a proxy all clients have the address of this machine.
        let local = (0..<2).compactMap { try? account("local \($0)", budget, at: "127.0.0.1") }
        #expect(!local[0].take(1), "all is used, and nobody has to leave yet")
        #expect(budget.byteCount == 1_000 && closedNames.isEmpty)
    }

    /// Answers exist before they can be counted. One large answer is nothing bad while there is room.
    @Test func answersMakeRoomForAnswers() throws {
        let budget = budget(.init(byteCount: 1_000, addressByteCount: 500, connectionByteCount: 400))
        let (large, other) = (try account("large", budget), try account("other", budget))
        large.add(900)
        #expect(closedNames.isEmpty && !large.take(1), "it gets no further request")
        time.advance(.seconds(1))
        other.add(300)
        #expect(closedNames == ["large"] && budget.byteCount == 300 && budget.connectionCount == 1)
    }

    @Test func anAccountThatEndsGivesAllBack() throws {
        let budget = RequestBudget()
        var accounts = try (0..<50).map { try account("\($0)", budget, at: "192.0.2.\($0)") }
        for account in accounts { #expect(account.take(10_000)) }
        #expect(budget.byteCount == 500_000 && budget.connectionCount == 50)
        accounts.remove(at: 25)
        accounts.removeFirst()
        accounts.removeLast()
        #expect(budget.byteCount == 470_000)
        accounts.removeAll()
        #expect(budget.byteCount == 0 && budget.connectionCount == 0)
    }

    // MARK: In a pipeline

    /// A connection, or a stream, of which the embedded channel takes nothing until it is flushed.
    private func connection(_ budget: RequestBudget) throws -> (EmbeddedChannel, FakeRouter) {
        let (embedded, router) = (EmbeddedChannel(), FakeRouter())
        try embedded.pipeline.syncOperations.addHandlers([RequestAccountHandler(budget: budget), router])
        try embedded.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 80)).wait()
        return (embedded, router)
    }

    private static func head(_ fields: HTTPFields = [:]) -> HTTPRequestPart {
        .head(HTTPRequest(method: .post, scheme: "http", authority: "h", path: "/", headerFields: fields))
    }

    @Test func aRequestIsCountedUntilItsAnswerIsTaken() throws {
        let budget = RequestBudget()
        let (embedded, router) = try connection(budget)
        try embedded.writeInbound(Self.head([.cookie: String(repeating: "c", count: 1_000)]))
        let head = budget.byteCount
        #expect(head >= RequestCost.request + 1_000)
        try embedded.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: 10)))
        #expect(budget.byteCount == head + RequestCost.bodyWindow)
        // More than the window is counted byte by byte.
        try embedded.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: RequestCost.bodyWindow)))
        #expect(budget.byteCount == head + RequestCost.bodyWindow + 10)
        try embedded.writeInbound(HTTPRequestPart.end(nil))
        router.answer("an answer")
        #expect(budget.byteCount == 0 && budget.connectionCount == 0)
    }

    /// The handler of the request waits for the rest.
    @Test func aRequestThatIsAnsweredEarlyIsCountedUntilItsEnd() throws {
        let budget = RequestBudget()
        let (embedded, router) = try connection(budget)
        try embedded.writeInbound(Self.head())
        router.answer("no")
        #expect(budget.byteCount >= RequestCost.request)
        try embedded.writeInbound(HTTPRequestPart.end(nil))
        #expect(budget.byteCount == 0)
    }

    @Test func aFileIsNotCountedByItsSize() throws {
        let budget = RequestBudget()
        let (embedded, _) = try connection(budget)
        try embedded.writeInbound(Self.head())
        embedded.triggerUserOutboundEvent(UploadExpected(), promise: nil)
        for _ in 0..<1_000 {
            try embedded.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: 64 << 10)))
        }
        #expect(embedded.isActive && budget.byteCount < 100 << 10)
    }

    @Test func aRequestForWhichThereIsNoRoomClosesItsConnection() throws {
        let budget = RequestBudget(limits: .init(connectionByteCount: 20 << 10))
        let (embedded, router) = try connection(budget)
        try embedded.writeInbound(Self.head([.cookie: String(repeating: "c", count: 10_000)]))
        #expect(!embedded.isActive && router.paths.isEmpty && budget.byteCount == 0)
    }

    @Test func theEndOfAConnectionGivesAllBack() throws {
        let budget = RequestBudget()
        let (embedded, _) = try connection(budget)
        try embedded.writeInbound(Self.head())
        try embedded.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: 10)))
        #expect(budget.byteCount > 0)
        embedded.close(promise: nil)
        embedded.embeddedEventLoop.run()
        #expect(budget.byteCount == 0)
    }

    /// Its decoder keeps a buffer as large as the largest piece.
    @Test(arguments: [true, false]) func bytesOfHTTP2ArePassedOnInPiecesWhileMemoryIsShort(isShort: Bool) throws {
        let budget = RequestBudget(limits: .init(byteCount: 100))
        let account = budget.account(of: AddressGroup(nil)) {}
        account.add(isShort ? 51 : 50)
        let embedded = EmbeddedChannel()
        try embedded.pipeline.syncOperations.addHandler(PartialHeadHandler(isHTTP2: true) { account })
        let limit = PartialHeadHandler.pieceByteCount
        let bytes = (0..<2 * limit + 100).map { UInt8(truncatingIfNeeded: $0) }
        try embedded.writeInbound(ByteBuffer(bytes: bytes))
        var pieces: [ByteBuffer] = []
        while let piece = try embedded.readInbound(as: ByteBuffer.self) { pieces.append(piece) }
        #expect(pieces.map(\.readableBytes) == (isShort ? [limit, limit, 100] : [2 * limit + 100]))
        #expect(!isShort || pieces.allSatisfy { $0.storageCapacity <= limit })
        #expect(pieces.flatMap { Array($0.readableBytesView) } == bytes)
    }

    @Test func headsThatAreNotCompleteAreCounted() throws {
        let budget = RequestBudget()
        let account = budget.account(of: AddressGroup(nil)) {}
        let embedded = EmbeddedChannel()
        let watch = PartialHeadHandler(isHTTP2: false) { account }
        try embedded.pipeline.syncOperations.addHandler(watch)
        try embedded.writeInbound(ByteBuffer(repeating: 65, count: 500))
        #expect(budget.byteCount == 0)
        for _ in 0..<10 { try embedded.writeInbound(ByteBuffer(repeating: 65, count: 500)) }
        #expect(budget.byteCount == 5_500 * PartialHeadHandler.bufferFactor)
        watch.noteDecoded()
        try embedded.writeInbound(ByteBuffer(repeating: 65, count: 10))
        #expect(budget.byteCount == 0)
    }
}
