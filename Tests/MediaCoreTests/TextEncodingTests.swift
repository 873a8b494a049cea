import MediaCore
import Testing

struct TextEncodingTests {
    private func text(_ bytes: [UInt8], _ label: String? = nil, _ fallback: LegacyEncoding = .western) -> String {
        TextEncoding(of: bytes, declared: label.flatMap { TextEncoding(label: $0) }, fallback: fallback).text(bytes)
    }

    private func utf16(_ text: String, isBigEndian: Bool = false) -> [UInt8] {
        text.utf16.flatMap { unit -> [UInt8] in
            isBigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
    }

    @Test func aMarkSaysTheEncodingAndIsNoText() {
        #expect(text([0xEF, 0xBB, 0xBF] + "ñ".utf8, "windows-1252") == "ñ")
        #expect(text([0xFF, 0xFE] + utf16("Łódź 日本")) == "Łódź 日本")
        #expect(text([0xFE, 0xFF] + utf16("Łódź 𝄞", isBigEndian: true)) == "Łódź 𝄞")
        #expect(text([0xFF, 0xFE]) == "" && text([]) == "")
    }

    @Test func latinTextInUTF16IsToldWithoutAMark() {
        #expect(text(utf16("Sin BOM")) == "Sin BOM")
        #expect(text(utf16("Sin BOM", isBigEndian: true)) == "Sin BOM")
        // Too much of something else, and an odd number of bytes.
        #expect(TextEncoding(of: utf16("日本語日本語")) != .utf16LittleEndian)
        #expect(TextEncoding(of: Array("a\0b\0c".utf8)) == .utf8)
    }

    @Test func bytesThatAreNotUTF8AreWhatWasDeclaredOrUsual() {
        #expect(text([0xA3, 0xF3, 0x64, 0x9F], "CP1250") == "Łódź")
        #expect(text([0xA3, 0xF3, 0x64, 0x9F], nil, .centralEuropean) == "Łódź")
        #expect(text([0x50, 0x65, 0xF1, 0x61], "utf-8") == "Peña")
        #expect(text([0x50, 0x65, 0xF1, 0x61], "utf-16") == "Peña")
        #expect(TextEncoding(label: "koi8-r") == nil && TextEncoding(label: "") == nil)
    }
}
