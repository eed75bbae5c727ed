"""Common given names, which tell a person whose site bears their name from a company."""

from __future__ import annotations

# In lower case and without the names that are words as well, such as Grace, Rose, Mark or Will.
GIVEN_NAMES = frozenset(
    """
    aaron abby abdul abigail adam adèle adrian adriana agnes agnieszka ahmad ahmed aidan aisha alan alba albert alberto
    alejandro aleksander aleksandr alena alessandro alessandra alex alexa alexander alexandra alexandre alexis alfred
    ali alice alicia alina alison allison alyssa amanda amélie amir amit amy ana anand anastasia anders andre andré
    andrea andreas andrei andrew andrey andy angela angelo anika anil anita anja anke ann anna anne annette annie
    anthony antoine anton antonio anya ariel arjun arnaud arthur arturo asha ashley astrid audrey aurélie axel ayesha
    barbara barry bartosz beata beatrice beatriz ben benedikt benjamin benoit bernard bernd bert beth bethany betty
    bianca birgit bjorn björn bob boris brad bradley brandon brenda brendan brent brian bridget britta bruce bruno
    bryan caitlin calvin cameron camila camille carl carla carlo carlos carmen carol carolina caroline carolyn carsten
    casey cassandra cassidy catherine cathy cecilia cédric celia céline charles charlie charlotte chelsea chen cheryl
    chiara chloe chloé chris christa christian christiane christina christine christoph christophe christopher cindy
    claire clara claudia claus clément clive cody colin connor conor corey cory courtney craig cristian cristina
    crystal curtis cynthia daan daisuke dale damian damien damon dan dana daniel daniela daniele danielle danny darius
    darren daryl dave david dawid dean debbie deborah debra deepak denis denise dennis derek devin diana diane diego
    dieter dimitri dirk dmitri dmitry dominic dominik dominique don donald donna doris dorothy doug douglas duncan
    dustin dylan eddie eduardo edward edwin eileen ekaterina elaine eleanor elena eli elias elisa elisabeth elizabeth
    ella ellen elliot elliott emanuel emil emilia emilie emily emma emmanuel enrico enrique eric erica erich erik erika
    erin ernest esther ethan eugene eva evan evelyn ewa fabian fabio fabrice fatima federica federico felipe felix
    fernanda fernando filip filippo fiona florence florian frances francesca francesco francis francisco franck
    francois françois frank franz fred frédéric frederick fredrik friedrich gabby gabriel gabriela gareth gary gavin
    geoff geoffrey george georg georgia gerald gerard gerhard gianluca gilbert gilles gina giorgio giovanni giulia
    giuseppe glen glenn gonzalo gordon graham greg gregor gregory greta guillaume guillermo günter gustav gustavo hanna
    hannah hans harald haruki harold harriet harry hassan heather hector heidi heike heinz helen helena helene helga
    henri henrik henry herbert hernan hiroshi holger howard hugo hussein ian ibrahim igor ines inge ingrid irene irina
    iris isaac isabel isabella isabelle ivan jack jackie jacob jacqueline jacques jaime jake jakob jakub james jamie
    jana jane janet janice jason javier jean jeff jeffrey jelena jen jenna jennifer jenny jens jeremy jérôme jerome
    jerry jesper jess jesse jessica jill jim jimmy joan joanna joanne joao joão joaquin jochen jodi joe joel joerg
    johan johanna johannes john johnny jon jonas jonathan jordan jorge jörg jose josé josef joseph josephine josh
    joshua joyce juan judith judy julia julian juliana julianne julie julien juliet juliette julio jürgen justin kai
    kaitlyn karen karin karina karl karsten kasia kate katharina katherine kathleen kathryn kathy katie katja katrin
    katrina kayla keith kelly kelsey ken kenneth kenji kerry kevin kim kimberly kirsten kirsty klaus kris krista
    kristen kristian kristin kristina kristy krystyna krzysztof kumar kurt kyle lara lars laszlo laura lauren laurence
    laurent lawrence lea leah leandro lee leif lena leo leon leonard leonardo leonie leslie lewis liam lidia lina linda
    lindsay lindsey lisa liz lizzie lorenzo lori lorraine lothar louis louise luca lucas lucia luciano lucie lucy luigi
    luis luisa luise lukas łukasz luke lydia lynn maciej madeleine madeline magdalena magnus maja malcolm manfred
    manuel mara marc marcel marcin marco marcos marcus margaret margarita maria mariana marianne marie marina mario
    marion marius marko markus marta martha martin martina mary maryam mateo mateusz mathias mathieu mats matt matteo
    matthew matthias matthieu maureen maurice mauro max maxim maxime megan mehdi mehmet mei melanie melinda melissa
    mia michael michaela michał michel michele michelle miguel mikael mike mikhail milan milena mina miranda miriam
    mitchell mohamed mohammad mohammed moritz monica monika monique muhammad mustafa nadia nadine naomi natalia natalie
    natasha nathalie nathan nathaniel neha neil nicholas nick nico nicola nicolas nicole nigel nikhil niklas nikolai
    nikolas nils nina noah noel nora norbert norman olaf oleg olga oliver olivia olivier omar oscar oskar otto owen
    pablo paige pamela paola paolo pascal patricia patrick patrik paul paula pauline pavel pedro penelope penny per
    peter petra phil philip philipp philippe phillip pierre piotr polly priya rachel rafael raghav rahul rainer raj
    rajesh ralf ralph ramon randall raphael raquel raul ravi ray raymond rebecca regina reinhard renata renate rené
    renee ricardo riccardo richard rick ricky rita rob robert roberta roberto robin rodrigo roger roland rolf roman
    ron ronald ronnie rosa rosemary ross roy ruben rudolf rupert russell ruth ryan sabine sabrina sally salvatore sam
    samantha samuel sandeep sandra sandro sanjay santiago sara sarah sascha scott sean sebastian sébastien serge sergei
    sergey sergio seth shane shannon sharon shaun shawn sheila shelby shelley sherri sherry silke silvia simon simone
    sofia sofie sonia sophia sophie stacey stacy stanley stefan stefania stefanie stefano steffen stella stephan
    stéphane stephanie stephen steve steven stewart stuart sue sunil suresh susan susanna susanne suzanne sven svetlana
    sylvia sylvie takashi tamara tanja tanya tara tatiana ted teresa terri terry thea theodore theresa thierry thomas
    thorsten tiffany tim timo timothy tina tobias todd tom tomas tomasz tommy toni tony torsten tracey tracy travis
    trevor tyler udo ulrich ulrike umar ursula uwe valentin valentina valeria valerie vanessa vera veronica veronika
    vicki vicky victor victoria vijay viktor vincent vincenzo virginia vivian vladimir volker walter wanda wayne wendy
    werner wilhelm william wolfgang xavier yann yannick yasmin yolanda yuki yuri yusuf yves yvette yvonne zachary zoe
    zoë zuzana
    """.split()
)
