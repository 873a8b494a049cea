import Foundation
import Testing

@testable import VODLibrary

struct JobQueueTests {
    private let queue = JobQueue(now: { Date(timeIntervalSince1970: 0) })

    private func job(_ task: IngestJob.Task, _ id: String) -> IngestJob {
        IngestJob(task: task, id: id, fileName: "\(id).mp4")
    }

    @Test func tracksGoBeforePostersAndEachKindInTheOrderOfItsComing() async {
        for (task, id) in [(IngestJob.Task.poster, "p1"), (.track, "t1"), (.poster, "p2"), (.track, "t2")] {
            await queue.add(job(task, id))
        }
        var order: [String?] = []
        for _ in 0..<4 { order.append(await queue.next(in: .short)?.id) }
        #expect(order == ["t1", "t2", "p1", "p2"])
    }

    @Test func lanesDoNotWaitForOneAnother() async {
        for number in 0..<5 { await queue.add(job(.conversion, "c\(number)")) }
        await queue.add(job(.indexing, "i"))
        #expect(await queue.next(in: .indexing)?.id == "i")
        #expect(await queue.next(in: .conversion)?.id == "c0")
    }

    @Test func aJobIsThereOnceUntilItIsFinished() async {
        let job = job(.indexing, "a")
        #expect(await queue.add(job))
        #expect(await !queue.add(job))
        _ = await queue.next(in: .indexing)
        #expect(await !queue.add(job))
        #expect(await queue.busyIDs(in: .titles) == ["a"])
        #expect(await queue.busyIDs(in: .tracks) == [])
        // Handed over to another lane: busy all the while.
        #expect(await queue.add(self.job(.conversion, "a")))
        await queue.finished(job)
        #expect(await queue.busyIDs(in: .titles) == ["a"])
        _ = await queue.next(in: .conversion)
        await queue.finished(self.job(.conversion, "a"))
        #expect(await queue.busyIDs(in: .titles) == [])
        #expect(await queue.add(job))
    }

    @Test func aFullQueueRefusesAndStaysQuick() async {
        let clock = ContinuousClock()
        let start = clock.now
        for number in 0..<JobQueue.maximumQueuedCount { await queue.add(job(.indexing, "\(number)")) }
        #expect(await !queue.add(job(.track, "one-more")))
        for number in 0..<JobQueue.maximumQueuedCount { #expect(await queue.next(in: .indexing)?.id == "\(number)") }
        // Linear look-ups took minutes.
        #expect(clock.now - start < .seconds(30))
    }

    @Test func closingEndsThoseWhoWait() async {
        async let waiting = queue.next(in: .conversion)
        async let closed: Void = queue.close()
        #expect(await waiting == nil)
        await closed
        #expect(await !queue.add(job(.indexing, "a")))
        #expect(await queue.next(in: .indexing) == nil)
    }
}
