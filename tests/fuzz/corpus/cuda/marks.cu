<<<>>> { ( [ < :: ; } ) ] > # 
#include
#include <
#define
\
