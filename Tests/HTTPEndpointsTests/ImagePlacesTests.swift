import HTTPTypes
import MediaIntake
import Testing

@testable import HTTPEndpoints
@testable import Workflows

/// Images that arrive slowly, or never to the end.
struct ImagePlacesTests {
    /// Begins as many images as are admitted, and then does something while they arrive.
    private func filling(
        _ places: ImagePlaces, _ senders: [UploadSender], _ byteCount: Int, then body: () async throws -> Void
    ) async throws {
        guard let sender = senders.first else { return try await body() }
        try await places.receive(byteCount, from: sender) {
            try await filling(places, Array(senders.dropFirst()), byteCount, then: body)
        }
    }

    private func isRefused(_ places: ImagePlaces, _ sender: UploadSender, _ byteCount: Int = 1) async -> Bool {
        do {
            try await places.receive(byteCount, from: sender) {}
            return false
        } catch {
            return (error as? ProblemDetails)?.status == .tooManyRequests
        }
    }

    @Test func aMemberHasRoomForOneLargeImage() async throws {
        let places = ImagePlaces()
        try await filling(places, [.member("ana")], ImagePlaces.maximumMemberByteCount) {
            #expect(await isRefused(places, .member("ana")))
            #expect(await !isRefused(places, .member("eva"), ImagePlaces.maximumMemberByteCount))
        }
        #expect(await !isRefused(places, .member("ana"), ImagePlaces.maximumMemberByteCount))
    }

    @Test func membersTogetherLeaveOperatorsTheirRoom() async throws {
        let places = ImagePlaces()
        let size = ImagePlaces.maximumMemberByteCount
        let members = (0..<ImagePlaces.maximumByteCount / size).map { UploadSender.member("member-\($0)") }
        try await filling(places, members, size) {
            #expect(await isRefused(places, .member("one more")))
            try await filling(places, Array(repeating: .operators, count: members.count), size) {
                #expect(await isRefused(places, .operators))
            }
        }
        #expect(await !isRefused(places, .member("one more"), size))
        #expect(await !isRefused(places, .operators, ImagePlaces.maximumByteCount))
    }

    @Test func anImageThatFailsGivesItsRoomBack() async throws {
        struct Broken: Error {}
        let places = ImagePlaces()
        await #expect(throws: Broken.self) {
            try await places.receive(ImagePlaces.maximumMemberByteCount, from: .member("ana")) { throw Broken() }
        }
        #expect(await !isRefused(places, .member("ana"), ImagePlaces.maximumMemberByteCount))
    }
}
