import CLibAV
import Testing

@testable import LibAV

/// HDR becomes SDR: what is known about patches of ITU-R BT.2408 comes out near its place.
struct ToneMappingTests {
    private func tags(
        _ transfer: AVColorTransferCharacteristic, primaries: AVColorPrimaries = AVCOL_PRI_BT2020
    ) throws -> ColorTags {
        let frame = try Frame.video(width: 2, height: 2, format: AV_PIX_FMT_YUV420P10LE)
        frame.pointer.pointee.color_trc = transfer
        frame.pointer.pointee.color_primaries = primaries
        frame.pointer.pointee.colorspace = AVCOL_SPC_BT2020_NCL
        return ColorTags(frame)
    }

    /// The code value of PQ in ten bits of limited range.
    private func code(_ luminance: Double) -> Double { 64 + 876 * ToneCurve.perceptualQuantizerSignal(luminance) }

    @Test func perceptualQuantizer() throws {
        try LibAVRuntime.load()
        #expect(abs(ToneCurve.perceptualQuantizerSignal(203) - 0.5807) < 0.0001)
        #expect(abs(ToneCurve.perceptualQuantizerSignal(10_000) - 1) < 1e-9)
        for luminance in [0.01, 1, 26, 100, 203, 1_000, 4_000] {
            let back = ToneCurve.perceptualQuantizer(ToneCurve.perceptualQuantizerSignal(luminance))
            #expect(abs(back / luminance - 1) < 1e-6)
        }
        let curve = ToneCurve(.init(tags: try tags(AVCOL_TRC_SMPTE2084), isFullRange: false))
        func grey(_ luminance: Double) -> ToneCurve.Color { curve.standard(y: code(luminance), cb: 512, cr: 512) }
        // Black, an 18 % grey card (26 cd/m²), diffuse white, and the peak.
        #expect(abs(grey(0).y - 16) < 0.5)
        #expect((104...112).contains(grey(26).y), "\(grey(26))")
        #expect((208...225).contains(grey(203).y), "\(grey(203))")
        #expect(abs(grey(1_000).y - 235) < 0.5 && abs(grey(4_000).y - 235) < 0.5)
        // Brighter stays brighter, and grey stays grey.
        var last = 0.0
        for luminance in stride(from: 0.5, through: 1_000, by: 0.5) {
            let color = grey(luminance)
            #expect(color.y >= last && abs(color.cb - 128) < 0.01 && abs(color.cr - 128) < 0.01)
            last = color.y
        }
    }

    @Test func hybridLogGamma() throws {
        try LibAVRuntime.load()
        let curve = ToneCurve(.init(tags: try tags(AVCOL_TRC_ARIB_STD_B67), isFullRange: false))
        func grey(_ signal: Double) -> Double { curve.standard(y: 64 + 876 * signal, cb: 512, cr: 512).y }
        #expect(abs(grey(0) - 16) < 0.5 && abs(grey(1) - 235) < 0.5)
        // A grey card lies at 38 %, diffuse white at 75 % (ITU-R BT.2408 §2.2).
        #expect((104...112).contains(grey(0.38)), "\(grey(0.38))")
        #expect((208...225).contains(grey(0.75)), "\(grey(0.75))")
    }

    /// Red of BT.709 at 60 cd/m², as it lies inside BT.2020, is pure red again; red of BT.2020, which BT.709 does not
    /// have, is as strong as it can be.
    @Test func colours() throws {
        try LibAVRuntime.load()
        let curve = ToneCurve(.init(tags: try tags(AVCOL_TRC_SMPTE2084), isFullRange: false))
        func standard(_ r: Double, _ g: Double, _ b: Double) -> ToneCurve.Color {
            let (r, g, b) = (
                ToneCurve.perceptualQuantizerSignal(r), ToneCurve.perceptualQuantizerSignal(g),
                ToneCurve.perceptualQuantizerSignal(b)
            )
            let luma = 0.2627 * r + 0.6780 * g + 0.0593 * b
            return curve.standard(
                y: 64 + 876 * luma, cb: 512 + 896 * (b - luma) / 1.8814, cr: 512 + 896 * (r - luma) / 1.4746)
        }
        // ITU-R BT.2087: BT.709 red in BT.2020 is 0.6274, 0.0691, 0.0164.
        let red = standard(60 * 0.6274, 60 * 0.0691, 60 * 0.0164)
        let signal = 0.6022  // (60 / 203) ^ (1 / 2.4)
        #expect(abs(red.y - (16 + 219 * 0.2126 * signal)) < 3, "\(red)")
        #expect(abs(red.cr - (128 + 112 * signal)) < 3, "\(red)")
        #expect(abs(red.cb - (128 - 224 * 0.2126 * signal / 1.8556)) < 3, "\(red)")
        let deep = standard(60, 0, 0)
        #expect(deep.cr >= red.cr - 3 && deep.y > red.y)
    }

    /// The table is as good as the computation, for frames of even and odd sides and values out of range.
    @Test func framesAreMappedAsSingleColours() throws {
        try LibAVRuntime.load()
        for transfer in [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67] {
            let source = ToneMapping.Source(tags: try tags(transfer), isFullRange: false)
            let curve = ToneCurve(source)
            for (y, cb, cr) in [
                (64, 512, 512), (300, 512, 512), (501, 512, 512), (573, 512, 512), (940, 512, 512), (400, 480, 600),
                (450, 560, 470), (600, 530, 505), (1_023, 512, 512),
            ] {
                let frame = try Frame.video(width: 35, height: 17, format: AV_PIX_FMT_YUV420P10LE)
                fill(frame, y, cb, cr)
                let mapped = try ToneMapping.shared(for: source).apply(to: frame)
                #expect(mapped.width == 35 && mapped.height == 17 && mapped.pixelFormat == AV_PIX_FMT_YUV420P)
                #expect(ColorTags(mapped) == .standard)
                let wanted = curve.standard(y: Double(y), cb: Double(cb), cr: Double(cr))
                for (x, line) in [(0, 0), (34, 16), (17, 9)] {
                    let color = pixel(mapped, x, line)
                    #expect(abs(Double(color.0) - wanted.y) <= 4, "\(y) \(cb) \(cr): \(color) \(wanted)")
                    #expect(abs(Double(color.1) - wanted.cb) <= 4, "\(y) \(cb) \(cr): \(color) \(wanted)")
                    #expect(abs(Double(color.2) - wanted.cr) <= 5, "\(y) \(cb) \(cr): \(color) \(wanted)")
                }
            }
        }
    }

    /// Whatever the wanted format is, and only for what is HDR.
    @Test func theScalerMapsWhatIsHighDynamicRange() throws {
        try LibAVRuntime.load()
        let frame = try Frame.video(width: 64, height: 64, format: AV_PIX_FMT_YUV420P10LE)
        fill(frame, 573, 512, 512)
        let plain = try Scaler(file: "a").scale(frame, width: 32, height: 32, format: AV_PIX_FMT_YUV420P)
        #expect((140...146).contains(pixel(plain, 5, 5).0))
        frame.pointer.pointee.color_trc = AVCOL_TRC_SMPTE2084
        let standard = try Scaler(file: "a").scale(frame, width: 32, height: 32, format: AV_PIX_FMT_YUV420P)
        #expect((208...225).contains(pixel(standard, 5, 5).0) && ColorTags(standard) == .standard)
        let full = try Scaler(file: "a").scale(frame, width: 32, height: 32, format: AV_PIX_FMT_YUVJ420P)
        #expect((222...244).contains(pixel(full, 5, 5).0))
        // Again it is not HDR any more.
        let again = try Scaler(file: "a").scale(standard, width: 16, height: 16, format: AV_PIX_FMT_YUV420P)
        #expect(pixel(again, 5, 5).0 == pixel(standard, 5, 5).0)
        // A frame that says nothing has the colour of its stream.
        frame.pointer.pointee.color_trc = AVCOL_TRC_UNSPECIFIED
        let scaler = Scaler(file: "a", streamTags: try tags(AVCOL_TRC_SMPTE2084))
        let told = try scaler.scale(frame, width: 32, height: 32, format: AV_PIX_FMT_YUV420P)
        #expect(pixel(told, 5, 5).0 == pixel(standard, 5, 5).0)
    }

    private func fill(_ frame: Frame, _ y: Int, _ cb: Int, _ cr: Int) {
        let (data, strides) = (frame.pointer.pointee.data, frame.pointer.pointee.linesize)
        let height = frame.height
        for (plane, stride, value, count) in [
            (data.0, strides.0, y, height), (data.1, strides.1, cb, (height + 1) / 2),
            (data.2, strides.2, cr, (height + 1) / 2),
        ] {
            guard let plane else { continue }
            let values = Int(stride) / 2 * count
            plane.withMemoryRebound(to: UInt16.self, capacity: values) {
                $0.update(repeating: UInt16(value), count: values)
            }
        }
    }

    private func pixel(_ frame: Frame, _ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8) {
        let (data, strides) = (frame.pointer.pointee.data, frame.pointer.pointee.linesize)
        return (
            data.0?[y * Int(strides.0) + x] ?? 0, data.1?[y / 2 * Int(strides.1) + x / 2] ?? 0,
            data.2?[y / 2 * Int(strides.2) + x / 2] ?? 0
        )
    }
}
