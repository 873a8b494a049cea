import MediaCore
import Testing

/// Numbers in addresses and headers.
struct DigitsTests {
    @Test func onlyDigitsAreANumber() {
        #expect(Int(digits: "0") == 0)
        #expect(Int(digits: "007") == 7)
        #expect(Int(digits: "9223372036854775807") == .max)
        let others = ["", "+5", "-5", " 5", "5 ", "5.", "0x5", "٥", "5e1", "9223372036854775808"]
        for text in others + [String(repeating: "9", count: 40)] {
            #expect(Int(digits: text[...]) == nil, "\(text)")
        }
        #expect(UInt8(digits: "255") == 255)
        for text in ["256", "260", "300", "1000"] { #expect(UInt8(digits: text[...]) == nil, "\(text)") }
    }
}
