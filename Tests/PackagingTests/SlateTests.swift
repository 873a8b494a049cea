import Codecs
import MediaCore
import NIOCore
import Testing

@testable import Packaging

struct SlateTests {
    private func slate(_ times: [Int64], presentation: [Int64]? = nil, duration: Int64) throws -> Slate {
        Slate(
            video: try LiveFixture.video(0), timescale: .video90kHz,
            frames: zip(times, presentation ?? times).enumerated().map { index, time in
                AccessUnit(
                    decodeTime: time.0, presentationTime: time.1, isRandomAccessPoint: index == 0,
                    payload: .frame(ByteBuffer()))
            }, duration: duration, silence: nil)
    }

    @Test func timesThatMakeALoopAreTaken() throws {
        #expect(try slate([0], duration: 1).isPlausible)
        #expect(try slate([0, 3_600], duration: 7_200).isPlausible)
        #expect(try slate([0, 3_600], presentation: [3_600, 7_200], duration: 7_200).isPlausible)
    }

    @Test(
        arguments: [
            ([], 1), ([1], 2), ([0], 0), ([0], -1), ([0], .max), ([0, 0], 10), ([0, 5, 3], 10), ([0, 10], 10),
            ([0, .max], .max), ([.min, 0], 1),
        ] as [([Int64], Int64)])
    func othersAreNot(times: [Int64], duration: Int64) throws {
        #expect(try slate(times, duration: duration).isPlausible == false)
    }

    @Test(arguments: [-1, Int64.min, .max])
    func framesOutsideOfItAreNot(presentationTime: Int64) throws {
        #expect(try slate([0], presentation: [presentationTime], duration: 3_600).isPlausible == false)
    }
}
