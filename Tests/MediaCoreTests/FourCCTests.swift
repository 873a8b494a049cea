import MediaCore
import Testing

struct FourCCTests {
    @Test(
        arguments: [
            (0x6D6F_6F76, "moov"), (0xA96E_616D, "\\xa9nam"), (0x0000_000A, "\\x00\\x00\\x00\\x0a"),
            (0x2020_207F, "   \\x7f"), (0x7572_6C20, "url "),
        ] as [(UInt32, String)])
    func describesPrintableBytesAsTheyAreAndOthersInHexadecimal(_ rawValue: UInt32, _ description: String) {
        #expect(FourCC(rawValue: rawValue).description == description)
    }

    @Test func aLiteralIsItsBytesBigEndian() {
        #expect(("avcC" as FourCC).rawValue == 0x6176_6343)
    }
}
