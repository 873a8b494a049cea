import NIOCore
import Testing

@testable import RTMPServer

/// Times of tags, whatever timestamps do.
struct RTMPTimelineTests {
    /// A timeline with a clock.
    private struct Course {
        var timeline = RTMPTimeline()
        var now = NIODeadline.uptimeNanoseconds(1_000_000_000)

        /// The time of a tag that arrives after some milliseconds.
        mutating func time(_ timestamp: UInt32, video: Bool = true, after milliseconds: Int64 = 40) -> Int64 {
            now = now + .milliseconds(milliseconds)
            return timeline.time(of: timestamp, isVideo: video, now: now)
        }
    }

    @Test func timesGoOnWhereTimestampsWrap() {
        var course = Course()
        let first = course.time(.max - 19)
        #expect(course.time(20) == first + 40)
        #expect(course.time(60, video: false, after: 0) == first + 80)
    }

    @Test func aTrackThatBeginsEarlierIsEarlier() {
        var course = Course()
        let video = course.time(5_000)
        #expect(course.time(4_990, video: false) == video - 10)
    }

    /// An encoder that begins again, forwards or backwards, goes on at the time that has passed; both tracks do so.
    @Test(arguments: [0, 90_000_000] as [UInt32]) func jumpsAreTakenOut(_ beginning: UInt32) {
        var course = Course()
        let first = course.time(40_000)
        _ = course.time(40_000, video: false, after: 0)
        #expect(course.time(beginning, after: 200) == first + 200)
        #expect(course.time(beginning + 13, video: false, after: 20) == first + 213)
        #expect(course.time(beginning + 40, after: 20) == first + 240)
    }

    /// A line that stood still delivers late; the times are still right.
    @Test func lateTagsAreNoJump() {
        var course = Course()
        let first = course.time(1_000)
        #expect(course.time(1_040, after: 20_000) == first + 40)
        #expect(course.time(1_080, after: 0) == first + 80)
    }

    @Test func smallStepsBackAreKept() {
        var course = Course()
        let first = course.time(1_000)
        #expect(course.time(900) == first - 100)
    }
}
