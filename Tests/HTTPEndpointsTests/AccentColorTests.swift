import Foundation
import HTTPEndpoints
import TestSupport
import Testing

struct AccentColorTests {
    @Test(arguments: ["#ffcc00", "#FFFFFF", "#000000", "#1c7c3c", "#ff0000", "#0000ff", "#00ffff", "#777777"])
    func wordsInTheAccentCanBeRead(_ text: String) throws {
        let colour = try #require(AccentColor(parsing: text))
        #expect(colour.text == text.lowercased())
        let (black, white) = (
            try #require(AccentColor(parsing: "#000000")), try #require(AccentColor(parsing: "#ffffff"))
        )
        for (variant, surface, words) in [
            (colour.onLightPages, AccentColor.lightSurface, white), (colour.onDarkPages, .darkSurface, black),
        ] {
            #expect(variant.contrast(with: surface) >= AccentColor.minimumContrast)
            #expect(words.contrast(with: variant) >= AccentColor.minimumContrast)
        }
    }

    /// A colour that can be read as it is stays as it is.
    @Test func aDarkColourStaysOnLightPages() throws {
        let colour = try #require(AccentColor(parsing: "#1c5c2c"))
        #expect(colour.onLightPages == colour && colour.onDarkPages != colour)
    }

    @Test(arguments: ["", "#fff", "1c7c3c", "#1c7c3g", "#1c7c3c0", "red", "#+1c7c3", "#ééé"])
    func othersAreNoColours(_ text: String) { #expect(AccentColor(parsing: text) == nil) }

    /// The values of the guidelines: black on white has 21, and a colour on itself 1.
    @Test func contrastIsThatOfTheGuidelines() throws {
        let (black, white) = (
            try #require(AccentColor(parsing: "#000000")), try #require(AccentColor(parsing: "#ffffff"))
        )
        #expect(black.contrast(with: white) == 21 && white.contrast(with: white) == 1)
        let grey = try #require(AccentColor(parsing: "#767676"))
        #expect(abs(grey.contrast(with: white) - 4.54) < 0.01)
    }

    /// The surfaces are those of the style sheet.
    @Test func surfacesAreThoseOfTheTokens() throws {
        let tokens = try String(
            contentsOfFile: "\(Repository.path)/Sources/WebSite/Resources/style/tokens.css", encoding: .utf8)
        #expect(tokens.contains("--hover:\(AccentColor.lightSurface.text)"))
        #expect(tokens.contains("--hover:\(AccentColor.darkSurface.text)"))
    }

    @Test func logosAreKnownByTheirContent() {
        #expect(StationLogo(Array("<?xml version='1.0'?>\n<svg viewBox='0 0 300 20'/>".utf8))?.aspect == 5)
        #expect(StationLogo(Array("<svg/>".utf8))?.aspect == 1)
        #expect(StationLogo(Array("<html><svg></html>".utf8))?.type == "image/svg+xml")
        #expect(StationLogo(Array("GIF89a".utf8)) == nil && StationLogo([]) == nil)
        #expect(StationLogo([UInt8](repeating: 0xff, count: StationLogo.maximumByteCount + 1)) == nil)
        var png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
        #expect(StationLogo(png)?.aspect == 1)
        png += [0, 0, 0, 40, 0, 0, 0, 20]
        #expect(StationLogo(png)?.aspect == 2 && StationLogo(png)?.type == "image/png")
    }
}
