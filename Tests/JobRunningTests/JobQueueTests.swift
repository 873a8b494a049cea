import Catalogue
import Foundation
import Testing

@testable import JobRunning

struct JobQueueTests {
    private var queue = JobQueue()

    private func job(_ kind: JobKind, _ id: String, _ lane: JobLane) -> LibraryJob {
        LibraryJob(key: JobKey(kind: kind, subject: id), number: 1, fileName: "\(id).mp4", lane: lane)
    }

    @Test mutating func tracksGoBeforePostersAndEachKindInTheOrderOfItsComing() {
        for (kind, id, rank) in [
            (JobKind.poster, "p1", 1), (.track, "t1", 0), (.poster, "p2", 1), (.track, "t2", 0), (.track, "t3", 0),
        ] {
            queue.append(job(kind, id, .short), rank: rank, priority: id == "p2" ? 9 : id == "t3" ? 1 : 0)
        }
        #expect(queue.jobs(in: .short).map(\.id) == ["t3", "t1", "t2", "p2", "p1"])
        var order: [String?] = []
        for _ in 0..<6 { order.append(queue.popFirst(in: .short)?.id) }
        #expect(order == ["t3", "t1", "t2", "p2", "p1", nil])
        #expect(queue.count == 0)
    }

    @Test mutating func lanesDoNotWaitForOneAnother() {
        for number in 0..<5 { queue.append(job(.title, "c\(number)", .conversion), rank: 0, priority: 0) }
        queue.append(job(.title, "i", .indexing), rank: 0, priority: 0)
        #expect(queue.popFirst(in: .indexing)?.id == "i")
        #expect(queue.popFirst(in: .conversion)?.id == "c0")
    }

    @Test mutating func aMovedJobGoesToTheEndOfItsNewPriorityAndARemovedOneIsGone() {
        for id in ["a", "b", "c", "d"] { queue.append(job(.title, id, .conversion), rank: 0, priority: 0) }
        let key = JobKey(kind: .title, subject: "b")
        queue.move(key, toPriority: -1)
        queue.move(JobKey(kind: .title, subject: "d"), toPriority: 5)
        queue.move(JobKey(kind: .title, subject: "nobody"), toPriority: 5)
        #expect(queue.jobs.map(\.id) == ["d", "a", "c", "b"])
        #expect(queue.remove(key)?.id == "b")
        #expect(queue.remove(key) == nil)
        #expect(!queue.contains(key) && queue.count == 3)
    }
}
