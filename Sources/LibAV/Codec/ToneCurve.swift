import CLibAV
import Glibc

/// The conversion of one colour from HDR to BT.709.
struct ToneCurve {
    /// Y'CbCr in code values.
    struct Color: Hashable {
        var y: Double
        var cb: Double
        var cr: Double
    }

    /// Red, green and blue.
    private typealias RGB = SIMD3<Double>

    private let isHybridLogGamma: Bool
    private let isFullRange: Bool
    private let weights: RGB
    /// The rows of the matrix from the source's primaries to those of BT.709.
    private let gamut: [RGB]

    /// The luminance of the brightest source pixel, in cd/m²; what is brighter is cut. Nearly all films are mastered
    /// for it, and it is the nominal peak of HLG.
    static let sourcePeak = 1_000.0
    /// The luminance of white on a standard screen: HDR reference white (ITU-R BT.2408 §2.1), in cd/m².
    static let targetPeak = 203.0
    /// The gamma of standard screens (ITU-R BT.1886).
    private static let screenGamma = 2.4
    private static let systemGamma = 1.2

    private static let luminance2020 = RGB(0.2627, 0.6780, 0.0593)
    private static let luminance709 = RGB(0.2126, 0.7152, 0.0722)
    private static let from2020 = [
        RGB(1.660491, -0.587641, -0.072850), RGB(-0.124551, 1.132900, -0.008349), RGB(-0.018151, -0.100579, 1.118730),
    ]
    private static let fromP3 = [
        RGB(1.224940, -0.224940, 0), RGB(-0.042057, 1.042057, 0), RGB(-0.019638, -0.078636, 1.098274),
    ]
    private static let from709 = [RGB(1, 0, 0), RGB(0, 1, 0), RGB(0, 0, 1)]

    init(_ source: ToneMapping.Source) {
        isHybridLogGamma = source.tags.transfer == AVCOL_TRC_ARIB_STD_B67
        isFullRange = source.isFullRange
        weights = source.tags.matrix == AVCOL_SPC_BT709 ? Self.luminance709 : Self.luminance2020
        gamut =
            switch source.tags.primaries {
            case AVCOL_PRI_BT709: Self.from709
            case AVCOL_PRI_SMPTE432: Self.fromP3
            default: Self.from2020
            }
    }

    /// Returns a colour in BT.709 of limited range with eight bits, not rounded.
    ///
    /// - Parameters:
    ///   - y: the luma of the source in ten bits.
    ///   - cb: the blue-difference chroma of the source in ten bits.
    ///   - cr: the red-difference chroma of the source in ten bits.
    func standard(y: Double, cb: Double, cr: Double) -> Color {
        let light = light(y: y, cb: cb, cr: cr)
        // The brightest component decides for all three, so that the hue stays.
        let brightest = light.max()
        let scale = brightest > 0 ? Self.compressed(brightest) / (brightest * Self.targetPeak) : 0
        let wide = light * scale
        let narrow = RGB((gamut[0] * wide).sum(), (gamut[1] * wide).sum(), (gamut[2] * wide).sum())
        return Self.encoded(Self.desaturated(narrow))
    }

    // MARK: Source

    /// The light of a pixel on its screen, in cd/m².
    private func light(y: Double, cb: Double, cr: Double) -> RGB {
        let luma = isFullRange ? y / 1_023 : (y - 64) / 876
        let blue = (cb - 512) / (isFullRange ? 1_023 : 896)
        let red = (cr - 512) / (isFullRange ? 1_023 : 896)
        let r = luma + 2 * (1 - weights.x) * red
        let b = luma + 2 * (1 - weights.z) * blue
        let g = (luma - weights.x * r - weights.z * b) / weights.y
        let signal = RGB(r, g, b).clamped(lowerBound: RGB(), upperBound: RGB(repeating: 1))
        guard isHybridLogGamma else {
            return RGB(
                Self.perceptualQuantizer(signal.x), Self.perceptualQuantizer(signal.y),
                Self.perceptualQuantizer(signal.z))
        }
        let scene = RGB(
            Self.hybridLogGamma(signal.x), Self.hybridLogGamma(signal.y), Self.hybridLogGamma(signal.z))
        let luminance = (scene * Self.luminance2020).sum()
        return luminance > 0 ? scene * Self.sourcePeak * pow(luminance, Self.systemGamma - 1) : RGB()
    }

    /// The EOTF of PQ (SMPTE ST 2084, ITU-R BT.2100 table 4), in cd/m².
    static func perceptualQuantizer(_ signal: Double) -> Double {
        let power = pow(max(0, signal), 1 / 78.84375)
        return 10_000 * pow(max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
    }

    /// The inverse of ``perceptualQuantizer(_:)``.
    static func perceptualQuantizerSignal(_ luminance: Double) -> Double {
        let power = pow(max(0, luminance) / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }

    /// The inverse OETF of HLG (ITU-R BT.2100 table 5), 0 to 1.
    static func hybridLogGamma(_ signal: Double) -> Double {
        signal <= 0.5 ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    // MARK: Compression

    /// The EETF of ITU-R BT.2390 §5.4.1: a spline in the domain of PQ above the knee, and nothing below it.
    ///
    /// - Parameter luminance: cd/m².
    /// - Returns: cd/m², at most ``targetPeak``.
    static func compressed(_ luminance: Double) -> Double {
        let peak = perceptualQuantizerSignal(sourcePeak)
        let signal = min(1, perceptualQuantizerSignal(luminance) / peak)
        let maximum = perceptualQuantizerSignal(targetPeak) / peak
        let knee = 1.5 * maximum - 0.5
        guard signal > knee else { return luminance }
        let t = (signal - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let mapped =
            (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * maximum
        return min(targetPeak, perceptualQuantizer(mapped * peak))
    }

    /// Brings a colour that BT.709 does not have to the nearest one of the same luminance and hue that it has.
    private static func desaturated(_ color: RGB) -> RGB {
        let luminance = min(max(0, (color * luminance709).sum()), 1)
        var share = 1.0
        for component in [color.x, color.y, color.z] {
            if component > 1, component > luminance { share = min(share, (1 - luminance) / (component - luminance)) }
            if component < 0, component < luminance { share = min(share, luminance / (luminance - component)) }
        }
        let grey = RGB(repeating: luminance)
        return (grey + (color - grey) * max(0, share)).clamped(lowerBound: RGB(), upperBound: RGB(repeating: 1))
    }

    private static func encoded(_ light: RGB) -> Color {
        let signal = RGB(pow(light.x, 1 / screenGamma), pow(light.y, 1 / screenGamma), pow(light.z, 1 / screenGamma))
        let luma = (signal * luminance709).sum()
        return Color(
            y: 16 + 219 * luma, cb: 128 + 224 * (signal.z - luma) / (2 * (1 - luminance709.z)),
            cr: 128 + 224 * (signal.x - luma) / (2 * (1 - luminance709.x)))
    }
}
