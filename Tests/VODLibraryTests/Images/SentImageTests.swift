import LibraryCore
import MediaIntake
import NIOCore
import Testing

@testable import VODLibrary

struct SentImageTests {
    private static func png(width: UInt32, height: UInt32) -> ByteBuffer {
        var bytes = ByteBuffer(bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8)
        bytes.writeInteger(width)
        bytes.writeInteger(height)
        return bytes
    }

    @Test func anImageIsTakenByItsBytesAndItsSize() throws {
        try SentImage.check(Self.png(width: 8_000, height: 5_000))
        try SentImage.check(ByteBuffer(bytes: SampleMedia.jpegBeginning))
        for refused in [
            Self.png(width: 8_001, height: 5_000), Self.png(width: .max, height: .max),
            ByteBuffer(string: "\0\0\0\u{18}ftypmp42"), ByteBuffer(string: "GIF89a"), ByteBuffer(),
        ] {
            let error = #expect(throws: LibraryError.self) { try SentImage.check(refused) }
            #expect(error?.code == .unplayable)
        }
        var large = ByteBuffer(bytes: SampleMedia.jpegBeginning)
        large.writeRepeatingByte(0, count: SentImage.maximumByteCount)
        #expect(#expect(throws: LibraryError.self) { try SentImage.check(large) }?.code == .limitExceeded)
    }

    @Test func membersDoNotTakeThePlacesOfOperators() {
        var requests = SenderShares(limit: 2, ofMember: 1)
        for (sender, isAdmitted) in [
            (.member("ana"), true), (.member("ana"), false), (.member("eva"), true), (.member("leo"), false),
            (.operators, true), (.operators, true), (.operators, false),
        ] as [(UploadSender, Bool)] {
            let isTaken = requests.take(for: sender)
            #expect(isTaken == isAdmitted)
        }
        requests.giveBack(of: .member("ana"))
        requests.giveBack(of: .operators)
        for (sender, isAdmitted) in [
            (.member("leo"), true), (.operators, true), (.member("ana"), false),
        ] as [(UploadSender, Bool)] {
            let isTaken = requests.take(for: sender)
            #expect(isTaken == isAdmitted)
        }
    }
}
