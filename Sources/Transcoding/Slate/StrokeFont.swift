/// Letters drawn with a pen: legible at any size, without a font file.
///
/// The data is "Roman Simplex" of the Hershey Fonts, which were originally created by Dr. A. V. Hershey while working
/// at the U. S. National Bureau of Standards. The format of the font data was originally created by James Hurt,
/// Cognition, Inc., 900 Technology Park Drive, Billerica, MA 01821. Accents are Antena's own.
struct StrokeFont {
    /// A point in units of the font; `y` points down.
    struct Point: Equatable {
        var x: Double
        var y: Double
    }

    /// A letter.
    struct Glyph: Equatable {
        /// The lines that the pen draws; a single point is a dot.
        var strokes: [[Point]]
        /// The left edge of the letter's space in a line; ``right`` is its right edge.
        var left: Double
        var right: Double

        /// The width of the letter's space.
        var advance: Double { right - left }
        /// The upper edge of the strokes.
        var top: Double { strokes.joined().map(\.y).min() ?? StrokeFont.capitalTop }
    }

    static let capitalTop = -12.0
    static let baseline = 9.0
    static let capitalHeight = baseline - capitalTop

    /// Returns the glyphs of a text, with accents drawn over the preceding letters.
    ///
    /// - Parameter text: A text in canonical decomposition, so that accents are scalars of their own.
    /// - Returns: `nil` if a letter is missing; other symbols that the font lacks are left out.
    static func glyphs(of text: String) -> [Glyph]? {
        var glyphs: [Glyph] = []
        for scalar in text.unicodeScalars {
            if let accented = mark(scalar) {
                if let last = glyphs.popLast() { glyphs.append(accented(last)) }
            } else if let replacement = replacements[scalar] {
                glyphs += replacement.unicodeScalars.compactMap(glyph(of:))
            } else if let glyph = glyph(of: scalar) {
                glyphs.append(glyph)
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                return nil
            }
        }
        return glyphs
    }

    private static func glyph(of scalar: Unicode.Scalar) -> Glyph? {
        switch scalar {
        case "\u{BF}": return data["?"].map(turned)
        case "\u{A1}": return data["!"].map(turned)
        case let space where space.properties.isWhitespace: return data[" "]
        default: return data[scalar]
        }
    }

    /// Turns a glyph upside down, around the middle of small letters.
    private static func turned(_ glyph: Glyph) -> Glyph {
        var glyph = glyph
        glyph.strokes = glyph.strokes.map { stroke in
            stroke.map { Point(x: glyph.left + glyph.right - $0.x, y: 3 - $0.y) }
        }
        return glyph
    }

    /// Characters that are replaced by others.
    private static let replacements: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d",
        "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i", "‘": "'", "’": "'", "“": "\"", "”": "\"",
        "„": "\"", "«": "\"", "»": "\"", "–": "-", "—": "-", "…": "...", "·": "-", "•": "-", "ª": "a", "º": "o",
        "€": "EUR", "£": "GBP", "№": "No.",
    ]

    // MARK: Accents

    private typealias Mark = @Sendable (Glyph) -> Glyph

    private static func mark(_ scalar: Unicode.Scalar) -> Mark? {
        if let strokes = marksAbove[scalar] {
            return { letter in
                // An i loses its dot.
                let body = letter.strokes.filter { stroke in letter.strokes.count == 1 || stroke.contains { $0.y > -8 }
                }
                var marked = letter
                marked.strokes = body
                let (middle, top) = ((letter.left + letter.right) / 2, marked.top)
                marked.strokes += strokes.map { $0.map { Point(x: middle + $0.x, y: top + $0.y) } }
                return marked
            }
        }
        if let strokes = marksBelow[scalar] {
            return { letter in
                let middle = (letter.left + letter.right) / 2
                var marked = letter
                marked.strokes += strokes.map { $0.map { Point(x: middle + $0.x, y: baseline + $0.y) } }
                return marked
            }
        }
        // Marks that are not drawn leave the letter legible.
        guard scalar.properties.canonicalCombiningClass != .notReordered else { return nil }
        return { letter in letter }
    }

    private static func line(_ points: (Double, Double)...) -> [Point] { points.map { Point(x: $0.0, y: $0.1) } }

    /// Accents above, relative to the middle of the letter and to its top.
    private static let marksAbove: [Unicode.Scalar: [[Point]]] = [
        "\u{300}": [line((-3, -7), (1, -3))],
        "\u{301}": [line((3, -7), (-1, -3))],
        "\u{302}": [line((-4, -3), (0, -7), (4, -3))],
        "\u{303}": [line((-5, -4), (-3, -6), (-1, -6), (1, -4), (3, -4), (5, -6))],
        "\u{304}": [line((-4, -5), (4, -5))],
        "\u{306}": [line((-4, -7), (-2, -4), (2, -4), (4, -7))],
        "\u{307}": [line((0, -5))],
        "\u{308}": [line((-3, -5)), line((3, -5))],
        "\u{30A}": [line((0, -8), (2, -7), (2, -5), (0, -4), (-2, -5), (-2, -7), (0, -8))],
        "\u{30B}": [line((0, -7), (-3, -3)), line((5, -7), (2, -3))],
        "\u{30C}": [line((-4, -7), (0, -3), (4, -7))],
    ]

    /// Accents below, relative to the middle of the letter and to the baseline.
    private static let marksBelow: [Unicode.Scalar: [[Point]]] = [
        "\u{323}": [line((0, 5))],
        "\u{326}": [line((1, 3), (-1, 7))],
        "\u{327}": [line((0, 0), (0, 2), (2, 3), (2, 5), (0, 6), (-2, 5))],
        "\u{328}": [line((2, 0), (0, 3), (1, 6), (4, 6))],
    ]

    // MARK: Data

    private static let data: [Unicode.Scalar: Glyph] = {
        var glyphs: [Unicode.Scalar: Glyph] = [:]
        for (index, text) in hershey.enumerated() {
            guard let scalar = Unicode.Scalar(UInt32(0x20 + index)), let glyph = Glyph(hershey: text) else { continue }
            glyphs[scalar] = glyph
        }
        return glyphs
    }()

    /// The glyphs of ASCII from the space on. A pair of letters is a position, counted from `R`; the first pair is the
    /// left and the right edge, and a space with an R lifts the pen.
    private static let hershey = [
        #"JZ"#, #"MWRFRT RRYQZR[SZRY"#, #"JZNFNM RVFVM"#, #"H]SBLb RYBRb RLOZO RKUYU"#,
        #"H\PBP_ RTBT_ RYIWGTFPFMGKIKKLMMNOOUQWRXSYUYXWZT[P[MZKX"#,
        #"F^[FI[ RNFPHPJOLMMKMIKIIJGLFNFPGSHVHYG[F RWTUUTWTYV[X[ZZ[X[VYTWT"#,
        #"E_\O\N[MZMYNXPVUTXRZP[L[JZIYHWHUISJRQNRMSKSIRGPFNGMIMKNNPQUXWZY[[[\Z\Y"#, #"MWRHQGRFSGSIRKQL"#,
        #"KYVBTDRGPKOPOTPYR]T`Vb"#, #"KYNBPDRGTKUPUTTYR]P`Nb"#, #"JZRLRX RMOWU RWOMU"#, #"E_RIR[ RIR[R"#,
        #"NVSWRXQWRVSWSYQ["#, #"E_IR[R"#, #"NVRVQWRXSWRV"#, #"G][BIb"#, #"H\QFNGLJKOKRLWNZQ[S[VZXWYRYOXJVGSFQF"#,
        #"H\NJPISFS["#, #"H\LKLJMHNGPFTFVGWHXJXLWNUQK[Y["#, #"H\MFXFRNUNWOXPYSYUXXVZS[P[MZLYKW"#, #"H\UFKTZT RUFU["#,
        #"H\WFMFLOMNPMSMVNXPYSYUXXVZS[P[MZLYKW"#, #"H\XIWGTFRFOGMJLOLTMXOZR[S[VZXXYUYTXQVOSNRNOOMQLT"#,
        #"H\YFO[ RKFYF"#, #"H\PFMGLILKMMONSOVPXRYTYWXYWZT[P[MZLYKWKTLRNPQOUNWMXKXIWGTFPF"#,
        #"H\XMWPURRSQSNRLPKMKLLINGQFRFUGWIXMXRWWUZR[P[MZLX"#, #"NVROQPRQSPRO RRVQWRXSWRV"#,
        #"NVROQPRQSPRO RSWRXQWRVSWSYQ["#, #"F^ZIJRZ["#, #"E_IO[O RIU[U"#, #"F^JIZRJ["#,
        #"I[LKLJMHNGPFTFVGWHXJXLWNVORQRT RRYQZR[SZRY"#,
        #"E`WNVLTKQKOLNMMPMSNUPVSVUUVS RQKOMNPNSOUPV RWKVSVUXVZV\T]Q]O\L[JYHWGTFQFNGLHJJILHOHRIUJWLYNZQ[T[WZYYZX RXKWSWUXV"#,
        #"I[RFJ[ RRFZ[ RMTWT"#, #"G\KFK[ RKFTFWGXHYJYLXNWOTP RKPTPWQXRYTYWXYWZT[K["#,
        #"H]ZKYIWGUFQFOGMILKKNKSLVMXOZQ[U[WZYXZV"#, #"G\KFK[ RKFRFUGWIXKYNYSXVWXUZR[K["#,
        #"H[LFL[ RLFYF RLPTP RL[Y["#, #"HZLFL[ RLFYF RLPTP"#, #"H]ZKYIWGUFQFOGMILKKNKSLVMXOZQ[U[WZYXZVZS RUSZS"#,
        #"G]KFK[ RYFY[ RKPYP"#, #"NVRFR["#, #"JZVFVVUYTZR[P[NZMYLVLT"#, #"G\KFK[ RYFKT RPOY["#, #"HYLFL[ RL[X["#,
        #"F^JFJ[ RJFR[ RZFR[ RZFZ["#, #"G]KFK[ RKFY[ RYFY["#, #"G]PFNGLIKKJNJSKVLXNZP[T[VZXXYVZSZNYKXIVGTFPF"#,
        #"G\KFK[ RKFTFWGXHYJYMXOWPTQKQ"#, #"G]PFNGLIKKJNJSKVLXNZP[T[VZXXYVZSZNYKXIVGTFPF RSWY]"#,
        #"G\KFK[ RKFTFWGXHYJYLXNWOTPKP RRPY["#, #"H\YIWGTFPFMGKIKKLMMNOOUQWRXSYUYXWZT[P[MZKX"#, #"JZRFR[ RKFYF"#,
        #"G]KFKULXNZQ[S[VZXXYUYF"#, #"I[JFR[ RZFR["#, #"F^HFM[ RRFM[ RRFW[ R\FW["#, #"H\KFY[ RYFK["#,
        #"I[JFRPR[ RZFRP"#, #"H\YFK[ RKFYF RK[Y["#, #"KYOBOb RPBPb ROBVB RObVb"#, #"KYKFY^"#,
        #"KYTBTb RUBUb RNBUB RNbUb"#, #"JZRDJR RRDZR"#, #"I[Ib[b"#, #"NVSKQMQORPSORNQO"#,
        #"I\XMX[ RXPVNTMQMONMPLSLUMXOZQ[T[VZXX"#, #"H[LFL[ RLPNNPMSMUNWPXSXUWXUZS[P[NZLX"#,
        #"I[XPVNTMQMONMPLSLUMXOZQ[T[VZXX"#, #"I\XFX[ RXPVNTMQMONMPLSLUMXOZQ[T[VZXX"#,
        #"I[LSXSXQWOVNTMQMONMPLSLUMXOZQ[T[VZXX"#, #"MYWFUFSGRJR[ ROMVM"#,
        #"I\XMX]W`VaTbQbOa RXPVNTMQMONMPLSLUMXOZQ[T[VZXX"#, #"I\MFM[ RMQPNRMUMWNXQX["#, #"NVQFRGSFREQF RRMR["#,
        #"MWRFSGTFSERF RSMS^RaPbNb"#, #"IZMFM[ RWMMW RQSX["#, #"NVRFR["#, #"CaGMG[ RGQJNLMOMQNRQR[ RRQUNWMZM\N]Q]["#,
        #"I\MMM[ RMQPNRMUMWNXQX["#, #"I\QMONMPLSLUMXOZQ[T[VZXXYUYSXPVNTMQM"#,
        #"H[LMLb RLPNNPMSMUNWPXSXUWXUZS[P[NZLX"#, #"I\XMXb RXPVNTMQMONMPLSLUMXOZQ[T[VZXX"#, #"KXOMO[ ROSPPRNTMWM"#,
        #"J[XPWNTMQMNNMPNRPSUTWUXWXXWZT[Q[NZMX"#, #"MYRFRWSZU[W[ ROMVM"#, #"I\MMMWNZP[S[UZXW RXMX["#,
        #"JZLMR[ RXMR["#, #"G]JMN[ RRMN[ RRMV[ RZMV["#, #"J[MMX[ RXMM["#, #"JZLMR[ RXMR[P_NaLbKb"#,
        #"J[XMM[ RMMXM RM[X["#, #"KYTBRCQDPFPHQJRKSMSOQQ RRCQEQGRISJTLTNSPORSTTVTXSZR[Q]Q_Ra RQSSUSWRYQZP\P^Q`RaTb"#,
        #"NVRBRb"#, #"KYPBRCSDTFTHSJRKQMQOSQ RRCSESGRIQJPLPNQPURQTPVPXQZR[S]S_Ra RSSQUQWRYSZT\T^S`RaPb"#,
        #"F^IUISJPLONOPPTSVTXTZS[Q RISJQLPNPPQTTVUXUZT[Q[O"#,
    ]
}

extension StrokeFont.Glyph {
    fileprivate init?(hershey text: String) {
        let values = text.utf8.map { Double(Int($0) - Int(UInt8(ascii: "R"))) }
        guard values.count >= 2, values.count.isMultiple(of: 2) else { return nil }
        (left, right) = (values[0], values[1])
        strokes = []
        var stroke: [StrokeFont.Point] = []
        let isPenLift = { (index: Int) in values[index] == Double(Int(UInt8(ascii: " ")) - Int(UInt8(ascii: "R"))) }
        for index in stride(from: 2, to: values.count, by: 2) {
            if isPenLift(index) {
                if !stroke.isEmpty { strokes.append(stroke) }
                stroke = []
            } else {
                stroke.append(StrokeFont.Point(x: values[index], y: values[index + 1]))
            }
        }
        if !stroke.isEmpty { strokes.append(stroke) }
    }
}
