import MediaCore
import Testing

@testable import Scoreboard

struct PlayerTableTests {
    private static let header = "firstName,lastName,gender,country,birthDate,extra\n"

    private static func table(_ text: String) throws -> PlayerTable { try PlayerTable(Array(text.utf8)) }

    @Test(arguments: [
        header + "Ana,Núñez,female,ES,1999-04-30,CD Norte\n",
        "extra;birth date;Country;GENDER;last_name;first name\r\nCD Norte;1999-04-30;ES;F;Núñez;Ana\r\n",
        "nombre\tapellidos\tgénero\tpaís\tnacimiento\textra\n Ana \tNúñez\tmujer\tES\t1999-04-30\tCD Norte",
        "\u{FEFF}sep=;\nNombre;Apellidos;Sexo;Pais;Nacimiento;Extra\n\"Ana\";\"Núñez\";Mujer;ES;1999-04-30;CD Norte\n",
    ])
    func aTableIsReadAsSpreadsheetsWriteIt(text: String) throws {
        let table = try Self.table(text)
        #expect(table.problems.isEmpty)
        let data = try #require(table.rows.first?.data)
        #expect(data.firstName == "Ana" && data.lastName == "Núñez" && data.gender == .female)
        #expect(data.country == "ES" && data.birthDate?.description == "1999-04-30" && data.extra == "CD Norte")
    }

    @Test func problemsAreToldByLineAndColumn() throws {
        let table = try Self.table(
            Self.header
                + """
                Ana,Núñez,female,ES,1999-04-30,
                ,Ortiz,x,Spain,30/04/1999
                "Eva
                María",Pérez,other,ES,1999-02-30
                a,b,male,ES,1999-04-30,c,d
                """)
        #expect(table.rows.map(\.line) == [2])
        #expect(
            table.problems.map { "\($0.line) \($0.column?.rawValue ?? "-")" }
                == ["3 firstName", "3 gender", "3 country", "3 birthDate", "4 birthDate", "6 -"])
    }

    @Test(arguments: [
        ("", "the table is empty"), ("firstName,height\n", "there is no column \"height\""),
        ("firstName,nombre\n", "twice"), ("firstName,lastName,gender,country\n", "missing"),
        (header + "\"Ana,", "not closed"),
        (header + String(repeating: "A,B,male,ES,1999-04-30,\n", count: PlayerTable.maximumRowCount + 1), "limited to"),
    ])
    func whatIsNoTableIsRefused(text: String, reason: String) {
        let problem = #expect(throws: PlayerTable.Problem.self) { try Self.table(text) }
        #expect(problem?.reason.contains(reason) == true)
    }

    @Test func aTableMayHaveAsManyRowsAsItsLimit() throws {
        let rows = String(repeating: "A,B,male,ES,1999-04-30,\n", count: PlayerTable.maximumRowCount)
        #expect(try Self.table(Self.header + rows).rows.count == PlayerTable.maximumRowCount)
    }
}
