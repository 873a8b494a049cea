import TestSupport
import Testing

@testable import Transcoding

struct PosterScoreTests {
    private static let (width, height) = (320, 180)

    private static func frame(_ brightness: (_ x: Int, _ y: Int) -> Int) -> LumaImage {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { pixels.append(UInt8(min(255, max(0, brightness(x, y))))) }
        }
        return LumaImage(width: width, height: height, pixels: pixels)
    }

    private static func blurred(_ source: LumaImage, radius: Int) -> LumaImage {
        frame { x, y in
            var (sum, count) = (0, 0)
            for row in stride(from: max(0, y - radius), through: min(height - 1, y + radius), by: 3) {
                for column in stride(from: max(0, x - radius), through: min(width - 1, x + radius), by: 3) {
                    sum += Int(source.pixels[row * width + column])
                    count += 1
                }
            }
            return sum / max(1, count)
        }
    }

    /// A scene of houses before a sky: areas with edges, and some texture.
    private static let scene = frame { x, y in
        let isHouse = y > 60 + (x / 40 * 37) % 70
        let isWindow = isHouse && x % 20 > 12 && y % 16 > 9
        return (isWindow ? 210 : isHouse ? 60 : 150) + (x * 7 + y * 13) % 5
    }

    private static let black = frame { _, _ in 16 }
    private static let white = frame { _, _ in 250 }
    private static let grey = frame { _, _ in 128 }
    private static let night = frame { x, y in 16 + (x / 40 + y / 40) % 2 * 10 }
    private static let noise: LumaImage = {
        var generator = SeededGenerator(seed: 7)
        return frame { _, _ in Int.random(in: 0...255, using: &generator) }
    }()
    private static let soft = blurred(scene, radius: 20)

    @Test(
        "A scene is better than what is no image",
        arguments: [
            ("black", black), ("white", white), ("grey", grey), ("night", night), ("noise", noise), ("blurred", soft),
        ]) func prefersAScene(_ name: String, _ other: LumaImage)
    {
        let (scene, score) = (PosterScore(Self.scene), PosterScore(other))
        #expect(scene >= .good)
        #expect(score < .good && score < scene, "\(name): \(score.value)")
    }

    @Test func theWorstComeInTheirOrder() {
        // A soft frame still shows something; the others are unrecognisable.
        #expect(PosterScore(Self.soft) > PosterScore(Self.night))
        #expect(PosterScore(Self.night) > PosterScore(Self.black))
        #expect(PosterScore(Self.black).value == 0)
        #expect(PosterScore(Self.grey).value == 0)
    }

    @Test func changesCost() {
        let steady = PosterScore(Self.scene, earlier: Self.scene)
        #expect(steady == PosterScore(Self.scene))
        let afterCut = PosterScore(Self.scene, earlier: Self.noise)
        let darker = Self.frame { x, y in Int(Self.scene.pixels[y * Self.width + x]) * 3 / 4 }
        let fading = PosterScore(Self.scene, earlier: darker)
        #expect(afterCut < steady && fading < steady)
        #expect(fading < .good)
    }

    @Test func detailTellsBlurFromNoise() {
        #expect(Self.soft.detail < 0.015)
        #expect((0.02...1).contains(Self.scene.detail))
        #expect(Self.noise.detail > 3)
        #expect(Self.grey.detail == 0)
    }
}
