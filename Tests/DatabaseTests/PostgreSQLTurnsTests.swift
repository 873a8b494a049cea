import Foundation
import Synchronization
import Testing

@testable import Database

@Suite(.timeLimit(.minutes(1)))
struct PostgreSQLTurnsTests {
    private final class Order: Sendable {
        private let names = Mutex<[String]>([])
        func add(_ name: String) { names.withLock { $0.append(name) } }
        var all: [String] { names.withLock { $0 } }
    }

    @Test func whoeverIsAloneComesBeforeThoseWhoAskLater() {
        let (turns, order, ended) = (PostgreSQLTurns(patience: 30), Order(), OneShot())
        turns.begin(alone: false)
        Thread.detachNewThread {
            turns.begin(alone: true)
            order.add("alone")
            turns.end()
        }
        let deadline = ContinuousClock.now + .seconds(30)
        while !turns.hasWaiting, .now < deadline { Thread.sleep(forTimeInterval: 0.001) }
        Thread.detachNewThread {
            turns.begin(alone: false)
            order.add("later")
            turns.end()
            ended.signal()
        }
        order.add("first")
        turns.end()
        ended.wait()
        #expect(order.all == ["first", "alone", "later"])
    }

    @Test func nobodyWaitsForAChangeThatTakesLong() {
        let turns = PostgreSQLTurns(patience: 0.01)
        turns.begin(alone: false)
        turns.begin(alone: true)
        turns.begin(alone: false)
        for _ in 0..<3 { turns.end() }
        turns.begin(alone: true)
        turns.end()
    }
}
